import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInChromium } from '../../support/browser.ts'
import { fresh } from '../../support/build.ts'
import { memberOf } from '../../support/clients.ts'
import { done } from '../../support/expect.ts'
import { mailsTo } from '../../support/mails.ts'
import { button, openOffice, rowOf } from '../../support/office-page.ts'
import { requireBuiltRegister, visit } from '../../support/register-page.ts'
import { acme, deps, useService } from '../../support/service.ts'

requireBuiltRegister()
useService()

/** An owner who has created an API key. */
async function makeOwnerWithKey() {
  const [name, keyName] = [fresh('Rina'), fresh('Pembukuan')]
  const { id, api } = await memberOf(acme(), 'OWNER', name)
  done(await api.post('/api-keys', { name: keyName }))
  return { id, name, keyName }
}

const isRevoked = async (keyName: string) => {
  const { apiKeys } = done(await acme().get('/api-keys'))
  return apiKeys.find(({ name }: { name: string }) => name === keyName).revokedAt !== null
}

/** Opens the dialog that removes the member. */
async function openRemoval(page: Page, { id, name }: { id: string; name: string }) {
  await openOffice(page, `/orang?tab=members&id=${id}`, name)
  await button(page, 'Hapus').click()
  return page.getByRole('dialog')
}

describeInChromium('the removal of a member', (browser) => {
  it('revokes the API keys of the member and says so', async () => {
    const owner = await makeOwnerWithKey()
    const { page } = await visit(browser())
    await openOffice(page, '/orang?tab=keys', 'Kunci API')
    await rowOf(page, owner.keyName).getByText(owner.name).waitFor()
    const dialog = await openRemoval(page, owner)
    expect(await dialog.getByLabel('Cabut juga kunci API yang dibuatnya').isChecked()).toBe(true)
    await dialog.getByRole('button', { name: 'Hapus' }).click()
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => isRevoked(owner.keyName)).toBe(true)
    await page.getByRole('link', { name: 'Kunci API' }).click()
    await rowOf(page, owner.keyName).getByText('Dicabut').waitFor()
  })

  it('leaves the API keys valid if that is chosen, and the list says that their creator was removed', async () => {
    const owner = await makeOwnerWithKey()
    const { page } = await visit(browser())
    const dialog = await openRemoval(page, owner)
    await dialog.getByLabel('Cabut juga kunci API yang dibuatnya').uncheck()
    await dialog.getByRole('button', { name: 'Hapus' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Kunci API' }).click()
    const row = rowOf(page, owner.keyName)
    await row.getByText(owner.name).waitFor()
    await row.getByText('Anggota sudah dihapus').waitFor()
    expect(await row.getByRole('button', { name: 'Cabut' }).count()).toBe(1)
    expect(await isRevoked(owner.keyName)).toBe(false)
  })
})

describeInChromium('an open invitation', (browser) => {
  it('shows until when it is valid, and is sent again once it has expired', async () => {
    const name = fresh('Sari')
    const email = `${name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}@example.com`
    const { member } = done(await acme().post('/members', { name, email, role: 'CASHIER' }))
    const { page } = await visit(browser())
    await openOffice(page, `/orang?tab=members&id=${member.id}`, name)
    await page.getByText(/^Undangan berlaku sampai \d/).waitFor()
    expect(await button(page, 'Kirim ulang undangan').count()).toBe(0)
    await deps()
      .db.updateTable('members')
      .set({ inviteExpiresAt: new Date(Date.now() - 60_000).toISOString() })
      .where('id', '=', member.id)
      .execute()
    await page.reload()
    await page.getByText(/^Undangan sudah kedaluwarsa/).waitFor()
    await button(page, 'Kirim ulang undangan').click()
    await page.getByRole('status').getByText(`Undangan dikirim ke ${email}.`).waitFor()
    await page.getByText(/^Undangan berlaku sampai \d/).waitFor()
    expect(await button(page, 'Kirim ulang undangan').count()).toBe(0)
    expect(await mailsTo(email)).toHaveLength(2)
    const { members } = done(await acme().get('/members'))
    const renewed = members.find(({ id }: { id: string }) => id === member.id)
    expect(Date.parse(renewed.inviteExpiresAt)).toBeGreaterThan(Date.now())
  })
})
