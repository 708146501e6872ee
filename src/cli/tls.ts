import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import path from 'node:path'
import { makeDirectory } from '../platform/files/directory.ts'
import { replaceFile } from '../platform/files/replace-file.ts'
import { command, dataDirArg, say, settingsOf, UsageError } from './command.ts'

export const tls = command({
  name: 'tls',
  description: 'Make a certificate for a name in your network, signed by an authority of your own',
  args: {
    host: {
      type: 'positional',
      required: true,
      description: 'Host that browsers open, such as kasir.lan or 192.168.1.5; several with commas between',
    },
    ...dataDirArg,
  },
  environment: ['dataDir'],
  examples: [
    ['kasir tls kasir.lan', 'for one name'],
    ['kasir tls kasir.lan,192.168.1.5', 'for the address of this machine too; run it again to renew'],
  ],
  run: async ({ host, ...args }) => {
    const config = settingsOf({ DATA_DIR: args['data-dir'] })
    const hosts = host.split(',').map((each) => each.trim().toLowerCase())
    const wrong = hosts.find((each) => isIP(each) === 0 && !HOST_NAME.test(each))
    if (wrong !== undefined) {
      throw new UsageError(`"${wrong}" is neither a host name such as kasir.lan nor an IP address`)
    }
    const dir = path.resolve(config.dataDir, 'tls')
    const { issueCertificate, openAuthority } = await import('./authority.ts')
    await makeDirectory(dir)
    const files = fileNames(dir)
    const isNew = !existsSync(files.authority)
    if (!isNew && !existsSync(files.authorityKey)) {
      throw new UsageError(
        `${files.authorityKey} is missing: put it back, or remove ${files.authority} to begin with a new authority, which every tablet must install`,
      )
    }
    const authority = await openAuthority(
      isNew
        ? null
        : { cert: await readFile(files.authority, 'utf8'), key: await readFile(files.authorityKey, 'utf8') },
    )
    if (isNew) {
      // The key is first: a key without its certificate is an interrupted first run, and the next run makes both again.
      await replaceFile(files.authorityKey, authority.key)
      await replaceFile(files.authority, authority.cert, 0o644)
    }
    const { cert, key, validTo } = await issueCertificate(authority, hosts)
    await replaceFile(files.cert, cert, 0o644)
    await replaceFile(files.key, key)
    for (const line of report({ hosts, files, isNew, validTo })) say(line)
  },
})

const HOST_NAME =
  /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/

const fileNames = (dir: string) => ({
  authority: path.join(dir, 'authority.crt'),
  authorityKey: path.join(dir, 'authority.key'),
  cert: path.join(dir, 'service.crt'),
  key: path.join(dir, 'service.key'),
})

type Report = { hosts: readonly string[]; files: ReturnType<typeof fileNames>; isNew: boolean; validTo: Date }

function report({ hosts, files, isNew, validTo }: Report): string[] {
  return [
    `The certificate for ${hosts.join(', ')} is valid until ${validTo.toISOString().slice(0, 10)}. Start the service with:`,
    `  TLS_CERT=${files.cert}`,
    `  TLS_KEY=${files.key}`,
    `  PUBLIC_URL=https://${hosts[0]}:3000`,
    isNew
      ? `Install the authority on each tablet, as a certificate that it trusts: ${files.authority}`
      : `The tablets that trust ${files.authority} trust this certificate as well.`,
    `Keep ${files.authorityKey} secret: who has it can pose as any site to these tablets.`,
  ]
}
