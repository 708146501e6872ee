import type { Page } from 'playwright-core'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { describeInChromium } from '../support/browser.ts'
import {
  fresh,
  makeCustomer,
  makeOutlet,
  makeProduct,
  makePurchaseOrder,
  makeSupplier,
  stock,
} from '../support/build.ts'
import { done } from '../support/expect.ts'
import { button, field, openOffice, save } from '../support/office-page.ts'
import {
  holdUnanswered,
  LOST,
  lineState,
  list,
  loseAnswers,
  openRegister,
  requireBuiltRegister,
  sellOne,
  tile,
  visit,
} from '../support/register-page.ts'
import { acme, address, deps, useService } from '../support/service.ts'

requireBuiltRegister()
useService()

let outletId = ''
let tea = ''

beforeAll(async () => {
  outletId = await makeOutlet(acme(), { name: 'Cikini' })
  const product = await makeProduct(acme(), { name: 'Es Teh', variants: [{ price: 10_000 }] })
  tea = product.variants[0]?.id ?? ''
  await stock(acme(), outletId, tea, 50)
})

const alert = (page: Page, text: string | RegExp) => page.getByRole('alert').filter({ hasText: text })
const HAS_SUCCEEDED = 'ternyata sudah berhasil'

const HOUR_MS = 3_600_000

const countSales = async () => (await acme().get(`/sales?outletId=${outletId}&limit=100`)).data.length
const openBills = async () => (await acme().get(`/sales?outletId=${outletId}&status=PARKED`)).data.length
const cards = async () => (await acme().get('/gift-cards')).data

describeInChromium('a write whose answer was lost', (browser) => {
  it('a shift whose close got no answer shows the stored count when it is closed again with another count', async () => {
    const { page } = await visit(browser())
    await page.goto(`${address()}/shift`)
    await field(page, 'Modal awal').fill('100000')
    await button(page, 'Buka shift').click()
    await button(page, 'Tutup shift').click()
    await field(page, 'Uang dihitung').fill('100000')
    const restore = await loseAnswers(page, '/shifts/*/close')
    await button(page, 'Tutup shift').click()
    await alert(page, LOST).waitFor()
    await restore()
    await field(page, 'Uang dihitung').fill('99500')
    await field(page, 'Catatan').fill('Kurang satu koin')
    await button(page, 'Tutup shift').click()
    await page.getByRole('heading', { name: 'Shift ditutup' }).waitFor()
    await alert(page, HAS_SUCCEEDED).waitFor()
    const { data } = await acme().get(`/shifts?outletId=${outletId}&limit=1`)
    expect(data[0]).toMatchObject({ status: 'CLOSED', countedCash: 100_000 })
    await page.getByRole('status').getByText('cocok').waitFor()
  })

  it('one gift card is issued when the form is sent again', async () => {
    const before = (await cards()).length
    const { page } = await visit(browser())
    await openOffice(page, '/kartu-hadiah?id=new', 'Kartu baru')
    await button(page, 'Rp 50.000').click()
    const restore = await loseAnswers(page, '/gift-cards')
    await button(page, 'Terbitkan').click()
    await alert(page, LOST).waitFor()
    await restore()
    await button(page, 'Terbitkan').click()
    await page.getByRole('region', { name: 'Riwayat saldo' }).getByText('Diterbitkan').waitFor()
    expect(await cards()).toHaveLength(before + 1)
  })

  it('one gift card is issued when its amount is changed before the form is sent again, and the form says so', async () => {
    const before = (await cards()).length
    const { page } = await visit(browser())
    await openOffice(page, '/kartu-hadiah?id=new', 'Kartu baru')
    await button(page, 'Rp 200.000').click()
    const restore = await loseAnswers(page, '/gift-cards')
    await button(page, 'Terbitkan').click()
    await alert(page, LOST).waitFor()
    await restore()
    await button(page, 'Rp 100.000').click()
    await button(page, 'Terbitkan').click()
    await alert(page, HAS_SUCCEEDED).waitFor()
    expect(await cards()).toHaveLength(before + 1)
    // The next press comes after the person has read the sentence: it issues a new card.
    await button(page, 'Terbitkan').click()
    await page.getByRole('region', { name: 'Riwayat saldo' }).getByText('Diterbitkan').waitFor()
    expect((await cards()).map(({ balance }: { balance: number }) => balance)).toEqual(
      expect.arrayContaining([100_000, 200_000]),
    )
  })

  it('goods of a purchase order are received once although the answer was lost', async () => {
    const supplierId = await makeSupplier(acme())
    const { id } = await makePurchaseOrder(acme(), {
      supplierId,
      outletId,
      items: [{ variantId: tea, qty: 10 }],
    })
    done(await acme().post(`/purchase-orders/${id}/order`))
    const { page } = await visit(browser())
    await page.goto(`${address()}/pembelian?id=${id}`)
    await page.getByLabel('Datang').fill('4')
    const restore = await loseAnswers(page, `/purchase-orders/${id}/receive`)
    await button(page, 'Terima barang').click()
    await alert(page, LOST).waitFor()
    await restore()
    await button(page, 'Terima barang').click()
    await page.getByText('4 dari 10 diterima').waitFor()
    expect(done(await acme().get(`/purchase-orders/${id}`)).purchaseOrder.items[0].receivedQty).toBe(4)
  })

  it('points are given once although the answer was lost', async () => {
    const id = await makeCustomer(acme(), { name: 'Sari Dewi' })
    const { page } = await visit(browser())
    await page.goto(`${address()}/pelanggan?id=${id}`)
    await button(page, 'Ubah poin').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Poin').fill('25')
    const restore = await loseAnswers(page, `/customers/${id}/loyalty/adjust`)
    await dialog.getByRole('button', { name: 'Simpan' }).click()
    await alert(page, LOST).waitFor()
    await restore()
    await dialog.getByRole('button', { name: 'Simpan' }).click()
    await page.getByRole('region', { name: 'Poin: 25' }).getByText('+25').waitFor()
  })

  it('a form that needs several requests saves the rest after one of them got no answer, also with another value', async () => {
    const name = fresh('Topping manis')
    const { page } = await visit(browser())
    await openOffice(page, '/produk?tab=modifiers&id=new', 'Grup modifier baru')
    await field(page, 'Grup modifier').fill('Topping')
    await button(page, 'Tambah modifier').click()
    await field(page, 'Nama modifier').fill('Keju')
    await page.route('**/api/v1/modifiers/*/items', (route) => route.abort('connectionreset'))
    await button(page, 'Simpan').click()
    await alert(page, 'Layanan tidak menjawab').waitFor()
    await page.unroute('**/api/v1/modifiers/*/items')
    await field(page, 'Grup modifier').fill(name)
    await save(page)
    const { groups } = done(await acme().get('/modifiers'))
    expect(groups.filter((group: { name: string }) => group.name === name)).toMatchObject([
      { modifiers: [{ name: 'Keju' }] },
    ])
  })

  it('a bill is split once when other goods are chosen before the request is sent again', async () => {
    const name = `Teras ${Math.trunc(performance.now())}`
    const { page } = await visit(browser())
    await openRegister(page)
    for (let count = 0; count < 3; count += 1) await tile(page, 'Es Teh').click()
    await button(page, 'Tahan').click()
    await page.getByRole('textbox', { name: 'Nama bon' }).fill(name)
    await button(page, 'Simpan bon').click()
    await button(page, /^Bon/).click()
    const open = page.getByRole('list', { name: 'Bon terbuka' })
    await open.getByRole('button', { name: new RegExp(`^${name}`) }).click()
    await button(page, 'Pisah').click()
    const before = await openBills()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: /^Lebihkan/ }).click()
    const restore = await loseAnswers(page, '/sales/*/split')
    await dialog.getByRole('button', { name: 'Pisah ke bon baru' }).click()
    await alert(page, LOST).waitFor()
    await restore()
    await dialog.getByRole('button', { name: /^Lebihkan/ }).click()
    await dialog.getByRole('button', { name: 'Pisah ke bon baru' }).click()
    await alert(page, HAS_SUCCEEDED).waitFor()
    expect(await openBills()).toBe(before + 1)
  })

  it('goods are refunded once when the dialog is closed and opened again after an answer was lost', async () => {
    const items = [{ variantId: tea, quantity: 3 }]
    const { id } = done(await acme().post('/sales', { outletId, items, status: 'COMPLETED' })).sale
    const refunded = async () => done(await acme().get(`/sales/${id}`)).sale.items[0].refundedQty
    const { page } = await visit(browser())
    await page.goto(`${address()}/penjualan?sale=${id}`)
    const dialog = page.getByRole('dialog')
    const refundOne = async () => {
      await button(page, 'Refund').click()
      await dialog.getByRole('button', { name: 'Lebihkan' }).click()
      await dialog.getByRole('button', { name: /^Kembalikan/ }).click()
    }
    await button(page, 'Refund').waitFor()
    // The sale cannot be read again either.
    await page.route(`**/api/v1/sales/${id}`, (route) => route.abort('connectionreset'))
    const restore = await loseAnswers(page, '/sales/*/refund')
    await refundOne()
    await alert(page, LOST).waitFor()
    await restore()
    await page.keyboard.press('Escape')
    await refundOne()
    await dialog.getByRole('button', { name: 'Selesai' }).click()
    expect(await refunded()).toBe(1)
    await page.unroute(`**/api/v1/sales/${id}`)
    await page.reload()
    await page.getByText('(1 direfund)').waitFor()
    const restoreAgain = await loseAnswers(page, '/sales/*/refund')
    await refundOne()
    await alert(page, LOST).waitFor()
    await restoreAgain()
    await page.keyboard.press('Escape')
    await button(page, 'Refund').click()
    await dialog.getByText('1 dapat direfund').waitFor()
    expect(await refunded()).toBe(2)
  })
})

/** Sends a cart as a bill, loses the answer and lets the device rest for so many hours. */
async function restAfterLostBill(page: Page, hours: number) {
  await openRegister(page)
  await tile(page, 'Es Teh').click()
  await holdUnanswered(page)
  await page.evaluate(`(() => {
    const cart = JSON.parse(localStorage.getItem(sessionStorage.getItem('kasir-cart')))
    cart.state.attempt.begunAt = new Date(Date.parse(cart.state.attempt.begunAt) - ${hours * HOUR_MS}).toISOString()
    localStorage.setItem(sessionStorage.getItem('kasir-cart'), JSON.stringify(cart))
  })()`)
  await page.reload()
  await lineState(page, 'Daring').waitFor()
}

const keep = (page: Page) => button(page, 'Simpan di Bon, layani berikutnya')
const openKept = async (page: Page) => {
  await button(page, 'Bon').first().click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /belum dijawab/ })
    .click()
}

describeInChromium('a sale whose answer was lost', (browser) => {
  it('a sale without an answer is sent again by a tap for a day, and is recorded once', async () => {
    const before = await openBills()
    const { page } = await visit(browser())
    await restAfterLostBill(page, 20)
    await button(page, 'Coba lagi').click()
    await expect.poll(() => button(page, 'Kosongkan keranjang').isEnabled()).toBe(false)
    expect(await openBills()).toBe(before + 1)
  })

  it('a sale without an answer is looked up after a day, and not sent again', async () => {
    const before = await openBills()
    const { page } = await visit(browser())
    await restAfterLostBill(page, 30)
    await page.getByText('bisa mencatatnya dua kali').waitFor()
    expect(await button(page, 'Coba lagi').count()).toBe(0)
    await button(page, 'Sudah tercatat').click()
    await expect.poll(() => button(page, 'Kosongkan keranjang').isEnabled()).toBe(false)
    expect(await openBills()).toBe(before + 1)
  })

  it('a sale that is missing after a day can be made again', async () => {
    const { page } = await visit(browser())
    await restAfterLostBill(page, 30)
    const before = await openBills()
    await button(page, 'Belum tercatat').click()
    await button(page, 'Tahan').click()
    await button(page, 'Simpan bon').click()
    await expect.poll(openBills).toBe(before + 1)
  })

  it('a sale without an answer leaves the till to the next customer, and is recorded once from the open bills', async () => {
    done(await acme().put('/settings', { negativeStock: 'BLOCK' }))
    const { page } = await visit(browser())
    await openRegister(page)
    const before = await countSales()
    await tile(page, 'Es Teh').click()
    await page.route('**/api/v1/sales', async (route) => {
      await route.fetch()
      await route.abort('connectionreset')
    })
    await button(page, /^Uang pas/).click()
    await keep(page).click()
    await page.getByText('1 penjualan belum dijawab').waitFor()
    await page.unroute('**/api/v1/sales')
    await page.reload()
    await page.getByText('1 penjualan belum dijawab').waitFor()
    await lineState(page, 'Daring').waitFor()
    await sellOne(page, 'Es Teh')
    await button(page, 'Jual lagi').click()
    await openKept(page)
    expect(await button(page, 'Kosongkan keranjang').isDisabled()).toBe(true)
    await tile(page, 'Es Teh').click({ force: true })
    await button(page, 'Coba lagi').click()
    await page.getByRole('status').filter({ hasText: 'Kembali' }).waitFor()
    expect(await countSales()).toBe(before + 2)
    await button(page, 'Jual lagi').click()
    await page.getByText('Keranjang kosong').waitFor()
    expect(await page.getByText('belum dijawab').count()).toBe(0)
    done(await acme().put('/settings', { negativeStock: 'ALLOW' }))
  })

  it('a sale without an answer that is kept for a day is looked up when it is opened again', async () => {
    const { page } = await visit(browser())
    await restAfterLostBill(page, 30)
    await keep(page).click()
    await openKept(page)
    await page.getByText('bisa mencatatnya dua kali').waitFor()
    expect(await button(page, 'Coba lagi').count()).toBe(0)
  })

  for (const [name, press] of [
    ['bill', ['Tahan', 'Simpan bon']],
    ['payment', ['Bayar', 'Selesai']],
  ] as const)
    it(`a ${name} without an answer is looked up after a day, also if its window stayed open`, async () => {
      done(await acme().put('/settings', { negativeStock: 'BLOCK' }))
      const { page } = await visit(browser())
      await openRegister(page)
      await tile(page, 'Es Teh').click()
      await page.route('**/api/v1/sales', async (route) => {
        await route.fetch()
        await route.abort('connectionreset')
      })
      for (const each of press) await button(page, new RegExp(`^${each}`)).click()
      await button(page, 'Coba lagi').waitFor()
      await page.unroute('**/api/v1/sales')
      const before = await countSales()
      // No answer corrects the clock of the device before the button is pressed.
      await page.route('**/api/**', (route) =>
        route.request().method() === 'GET' ? route.abort() : route.fallback(),
      )
      await page.clock.setSystemTime(Date.now() + 30 * HOUR_MS)
      await deps().db.deleteFrom('idempotencyKeys').execute()
      await button(page, 'Coba lagi').click()
      await page.getByText('bisa mencatatnya dua kali').waitFor()
      expect(await countSales()).toBe(before)
      done(await acme().put('/settings', { negativeStock: 'ALLOW' }))
    })
})

describeInChromium('goods of the next customer', (browser) => {
  const lines = (page: Page) => list(page, 'Keranjang').getByRole('listitem')

  /** Sells a coffee that the service has to record first, and taps a bread before its request fails. */
  async function tapWhileUnanswered(page: Page) {
    done(await acme().put('/settings', { negativeStock: 'BLOCK' }))
    onTestFinished(async () => void done(await acme().put('/settings', { negativeStock: 'ALLOW' })))
    const [coffee, bread] = [fresh('Kopi'), fresh('Roti')]
    for (const name of [coffee, bread])
      await makeProduct(acme(), { name, trackStock: false, variants: [{ price: 10_000 }] })
    await openRegister(page)
    await tile(page, coffee).click()
    let fail = () => {}
    const failed = new Promise<void>((resolve) => {
      fail = resolve
    })
    await page.route('**/api/v1/sales', async (route) => {
      await failed
      await route.abort('connectionreset')
    })
    await button(page, 'Uang pas').click()
    await tile(page, bread).click()
    fail()
    await button(page, 'Coba lagi').waitFor()
    await page.unroute('**/api/v1/sales')
    return { coffee, bread }
  }

  it('that were tapped before a sale got no answer begin the next sale, once the first one is recorded', async () => {
    const { page } = await visit(browser())
    const { coffee, bread } = await tapWhileUnanswered(page)
    expect(await lines(page).allInnerTexts()).toEqual([expect.stringContaining(coffee)])
    await button(page, 'Coba lagi').click()
    await lines(page).filter({ hasText: bread }).waitFor()
    expect(await lines(page).count()).toBe(1)
  })

  it('that were tapped before a sale got no answer begin the next sale, once the first one is kept', async () => {
    const { page } = await visit(browser())
    const { bread } = await tapWhileUnanswered(page)
    await keep(page).click()
    await lines(page).filter({ hasText: bread }).waitFor()
    expect(await lines(page).count()).toBe(1)
  })

  it('are refused with a sound and the reason while a sale has no answer', async () => {
    const { page } = await visit(browser(), { width: 800, height: 1280 })
    await page.addInitScript(`{
      window.tones = 0
      const { start } = OscillatorNode.prototype
      OscillatorNode.prototype.start = function () { window.tones += 1; start.call(this) }
    }`)
    const { bread } = await tapWhileUnanswered(page)
    await button(page, 'Ke daftar barang').click()
    await tile(page, bread).click()
    await page.getByText('Penjualan ini belum dijawab').waitFor()
    expect(await page.evaluate('window.tones')).toBe(1)
    expect(await lines(page).count()).toBe(1)
  })

  it('have no customer chosen for them while a sale has no answer, and the dialog says so', async () => {
    const { page } = await visit(browser())
    await tapWhileUnanswered(page)
    await page.keyboard.press('F4')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Penjualan ini belum dijawab').waitFor()
    expect(await dialog.getByRole('textbox', { name: 'Nama atau telepon' }).isDisabled()).toBe(true)
  })
})

describeInChromium('cash for a whole sale on a portrait tablet', (browser) => {
  const refused = 'can be sold; lower the quantity'
  for (const [outcome, sentence] of [
    ['is refused', refused],
    ['gets no answer', 'Penjualan ini belum dijawab'],
  ] as const)
    it(`opens the cart and says why if the sale ${outcome}`, async () => {
      done(await acme().put('/settings', { negativeStock: 'BLOCK' }))
      onTestFinished(async () => void done(await acme().put('/settings', { negativeStock: 'ALLOW' })))
      const name = fresh('Kopi')
      await makeProduct(acme(), { name, variants: [{ price: 10_000 }] })
      const { page } = await visit(browser(), { width: 800, height: 1280 })
      await openRegister(page)
      await tile(page, name).click()
      if (sentence !== refused) await page.route('**/api/v1/sales', (route) => route.abort('connectionreset'))
      await button(page, 'Uang pas').click()
      await page.getByText(sentence).waitFor()
    })
})
