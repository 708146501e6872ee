import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readlinkSync } from 'node:fs'
import {
  chmod,
  type FileHandle,
  open,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { startEmbedded } from '../../src/platform/db/embedded.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import {
  aDataDir,
  aNewDataDir,
  aService,
  cleanups,
  here,
  isAlive,
  isRoot,
  onLinux,
  pidFileOf,
  postmasterOf,
  query,
  rows,
  until,
} from './fixtures/embedded.ts'

describe('a quiet life', () => {
  test('the first start creates a durable database that only its own directory leads to', async () => {
    const dataDir = await aNewDataDir()
    const database = await here(dataDir)
    expect(database).toMatchObject({ fresh: true, recovered: [] })
    expect(new URL(database.url).pathname).toBe('/kasir')
    const [settings] = await query(
      database.url,
      `select current_database() as name, current_setting('fsync') as fsync,
        current_setting('synchronous_commit') as commit, current_setting('full_page_writes') as pages,
        current_setting('server_encoding') as encoding, current_setting('listen_addresses') as tcp,
        current_setting('autovacuum_naptime') as look`,
    )
    expect(settings).toEqual({
      name: 'kasir',
      fsync: 'on',
      commit: 'on',
      pages: 'on',
      encoding: 'UTF8',
      tcp: '',
      look: '15s',
    })
    expect((await stat(join(dataDir, 'postgres'))).mode & 0o777).toBe(0o700)
  })

  test.runIf(onLinux)(
    'the first start syncs its configuration line and the name of the database folder',
    async () => {
      const dataDir = await aNewDataDir()
      const probe = await open(import.meta.filename, 'r')
      const files: FileHandle = Object.getPrototypeOf(probe)
      const sync = vi.spyOn(files, 'sync')
      const synced: string[] = []
      sync.mockImplementation(function (this: FileHandle) {
        synced.push(readlinkSync(`/proc/self/fd/${this.fd}`))
        return this.datasync()
      })
      await probe.close()
      try {
        await here(dataDir)
      } finally {
        sync.mockRestore()
      }
      const real = await realpath(dataDir)
      const [line, ...names] = synced
      expect(line).toMatch(new RegExp(`^${real}/postgres\\.new-[0-9a-f]+/postgresql\\.conf$`))
      expect(names).toEqual([real])
    },
  )

  test('the second start finds the data', async () => {
    const dataDir = await aDataDir()
    const first = await here(dataDir)
    await query(first.url, 'create table kept as select 7 as n')
    await first.stop()
    const second = await here(dataDir)
    expect(second).toMatchObject({ fresh: false, recovered: [] })
    expect(await rows(second.url)).toEqual([7])
  })

  test('stop ends PostgreSQL cleanly, frees the directory and may be called twice', async () => {
    const dataDir = await aDataDir()
    const database = await here(dataDir)
    const postmaster = await postmasterOf(dataDir)
    await Promise.all([database.stop(), database.stop()])
    expect(isAlive(postmaster ?? 0)).toBe(false)
    expect(await postmasterOf(dataDir)).toBeNull()
    expect(await readdir(join(dataDir, 'lock'))).toEqual([])
    expect(await readFile(join(dataDir, 'postgres.log'), 'utf8')).toContain('database system is shut down')
  })

  test('the log of PostgreSQL is rotated while it runs: it and one older file are kept', async () => {
    const dataDir = await aDataDir()
    const { url, stop: end } = await here(dataDir)
    const log = join(dataDir, 'postgres.log')
    const sizeOf = async (file: string) => (await stat(file).catch(() => null))?.size ?? 0
    for (let round = 1; round <= 2; round++) {
      await query(
        url,
        `do $$ begin for n in 1..110 loop raise log 'round ${round} %', repeat('x', 100000); end loop; end $$`,
      )
      await until('the log was rotated', async () => (await sizeOf(log)) < 1_000_000, 30_000)
      expect((await readFile(`${log}.1`, 'utf8')).match(/round \d/)?.[0]).toBe(`round ${round}`)
      expect(await sizeOf(`${log}.1`)).toBeLessThan(12_000_000)
    }
    await end()
    expect(await readFile(log, 'utf8')).toContain('database system is shut down')
    expect((await readdir(dataDir)).filter((name) => name.startsWith('postgres.log')).sort()).toEqual([
      'postgres.log',
      'postgres.log.1',
    ])
  }, 90_000)

  test('a command beside the service finds its database, and none once it stopped', async () => {
    const service = aService(await aDataDir())
    const { url, found } = await service.ready()
    expect(found).toBe(url)
    service.child.kill('SIGTERM')
    // Its output is complete when it is closed, which may be after its exit.
    await once(service.child, 'close')
    expect(service.lines.at(-1)).toEqual({ stopped: true })
  })

  test.runIf(onLinux)(
    'PostgreSQL leads its own process group, so Ctrl-C reaches the service alone',
    async () => {
      const dataDir = await aDataDir()
      await here(dataDir)
      const pid = await postmasterOf(dataDir)
      const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(' ')
      expect(Number(fields[4])).toBe(pid)
    },
  )
})

/** What PostgreSQL says of the role that the service signs in as, and of what it could do beyond its database. */
const rolesIn = async (url: string) =>
  (
    await query(
      url,
      `select current_user as name, r.rolsuper as super, r.rolcreaterole as roles, r.rolcreatedb as databases,
        r.rolreplication as replication, r.rolbypassrls as rls,
        (select pg_get_userbyid(datdba) from pg_database where datname = current_database()) as owner,
        pg_has_role('pg_read_server_files', 'member') as files,
        pg_has_role('pg_execute_server_program', 'member') as programs
      from pg_roles r where r.rolname = current_user`,
    )
  )[0]
const PLAIN = {
  name: 'kasir_service',
  super: false,
  roles: false,
  databases: false,
  replication: false,
  rls: false,
  owner: 'kasir_service',
  files: false,
  programs: false,
}

describe('the role of the service', () => {
  test('owns its database, makes the whole schema, and reads no file of the machine', async () => {
    const { url } = await here(await aDataDir())
    expect(await rolesIn(url)).toEqual(PLAIN)
    expect(await migrate(url)).toContain('0005_stock.sql')
    await expect(query(url, `select pg_read_file('postgresql.conf')`)).rejects.toThrow('permission denied')
    await expect(query(url, `copy (select 1) to program 'true'`)).rejects.toThrow('permission denied')
    await expect(query(url, 'create role other superuser')).rejects.toThrow('permission denied')
  })

  test('takes over what the superuser owned in a cluster from before, with every row, once', async () => {
    const dataDir = await aDataDir()
    const first = await here(dataDir)
    const { adminUrl } = first
    // As it was: one superuser made the database and all that is in it.
    await query(adminUrl, 'alter database kasir owner to kasir')
    await migrate(adminUrl)
    await query(adminUrl, `insert into accounts (account_id, name) values ('acc_A', 'Warung Sari')`)
    await query(
      adminUrl,
      'create table days (day date not null, n int generated always as identity) partition by range (day)',
    )
    await query(
      adminUrl,
      `create table days_one partition of days for values from ('2026-01-01') to ('2027-01-01')`,
    )
    await query(adminUrl, 'create view names as select name from accounts')
    await query(adminUrl, `create function two() returns int language sql as 'select 2'`)
    await query(adminUrl, 'alter role kasir_service superuser')
    await first.stop()

    for (let start = 0; start < 2; start++) {
      const { url, stop } = await here(dataDir)
      expect(await rolesIn(url)).toEqual(PLAIN)
      const strangers = await query(
        url,
        `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace
          and c.relkind in ('r', 'p', 'S', 'v', 'm') and c.relowner <> 'kasir_service'::regrole
          union all select proname from pg_proc where pronamespace = 'public'::regnamespace and proname = 'two'
          and proowner <> 'kasir_service'::regrole`,
      )
      expect(strangers).toEqual([])
      expect(await query(url, 'select name from names')).toEqual([{ name: 'Warung Sari' }])
      await query(url, `alter table accounts add column if not exists planted text`)
      await query(url, `insert into days (day) values ('2026-02-03')`)
      expect(await migrate(url)).toEqual([])
      await stop()
    }
  })

  test('a command beside the service comes in as the same role', async () => {
    const service = aService(await aDataDir())
    const { found } = await service.ready()
    expect(await rolesIn(found ?? '')).toEqual(PLAIN)
  })
})

describe('one service per directory', () => {
  test('a second start says who holds the directory and leaves it alone', async () => {
    const dataDir = await aDataDir()
    const service = aService(dataDir)
    const { url } = await service.ready()
    await expect(startEmbedded({ dataDir, say: () => {} })).rejects.toMatchObject({
      code: 'DATA_DIR_IN_USE',
      message: `Kasir is already running on ${dataDir} (process ${service.pid}): stop it first, or set another DATA_DIR.`,
    })
    expect(await query(url, 'select 1 as n')).toEqual([{ n: 1 }])
  })

  test('of four starts at the same moment exactly one serves', async () => {
    const dataDir = await aNewDataDir()
    const starts = await Promise.allSettled(Array.from({ length: 4 }, () => here(dataDir)))
    expect(starts.filter((start) => start.status === 'fulfilled')).toHaveLength(1)
    for (const start of starts) {
      if (start.status === 'rejected') expect(start.reason).toMatchObject({ code: 'DATA_DIR_IN_USE' })
    }
  })
})

describe('after a kill -9', () => {
  test('of the service: the next start stops the orphan, says so and has every row', async () => {
    const dataDir = await aDataDir()
    const service = aService(dataDir)
    await query((await service.ready()).url, 'create table kept as select 1 as n')
    const orphan = await postmasterOf(dataDir)
    await service.kill()
    expect(isAlive(orphan ?? 0)).toBe(true)

    const next = await here(dataDir)
    expect(next.recovered).toEqual([
      `stopped the PostgreSQL (process ${orphan}) that an earlier run left behind`,
    ])
    expect(isAlive(orphan ?? 0)).toBe(false)
    expect(await rows(next.url)).toEqual([1])
  })

  test('of the service and PostgreSQL: the next start replays the log and has every row', async () => {
    const dataDir = await aDataDir()
    const service = aService(dataDir)
    await query((await service.ready()).url, 'create table kept as select 1 as n')
    const postmaster = (await postmasterOf(dataDir)) ?? 0
    await service.kill()
    process.kill(postmaster, 'SIGKILL')

    const next = await here(dataDir)
    expect(next.recovered).toEqual([expect.stringContaining('the last run ended abruptly')])
    expect(await rows(next.url)).toEqual([1])
  })

  test('of PostgreSQL alone: it is back at the same address', async () => {
    const dataDir = await aDataDir()
    const service = aService(dataDir)
    const { url } = await service.ready()
    await query(url, 'create table kept as select 1 as n')
    for (let round = 0; round < 2; round++) {
      process.kill((await postmasterOf(dataDir)) ?? 0, 'SIGKILL')
      await until(
        'the service says it is back',
        async () => service.lines.filter((line) => line.said === 'PostgreSQL is back').length > round,
      )
      expect(await rows(url)).toEqual([1])
    }
    expect(service.lines).toContainEqual({ said: 'PostgreSQL ended unexpectedly (SIGKILL); restarting it' })
    service.child.kill('SIGTERM')
    await once(service.child, 'exit')
    expect(await postmasterOf(dataDir)).toBeNull()
  })

  test.runIf(onLinux)(
    'of PostgreSQL while a statement computes: the restart ends its abandoned child',
    async () => {
      const dataDir = await aDataDir()
      const service = aService(dataDir)
      const { url } = await service.ready()
      // Ten billion rows: a child that never looks up between two statements.
      const busy = query(
        url,
        'select count(*) from generate_series(1, 100000) a, generate_series(1, 100000) b',
      ).catch(() => null)
      await until(
        'the statement runs',
        async () => (await query(url, `select 1 from pg_stat_activity where query like 'select count%'`))[0],
      )
      process.kill((await postmasterOf(dataDir)) ?? 0, 'SIGKILL')
      await until('the service says it is back', async () =>
        service.lines.find((line) => line.said === 'PostgreSQL is back'),
      )
      await busy
    },
  )
})

describe('what an end without a shutdown leaves in the directory', () => {
  test('a pid file naming a stranger: PostgreSQL starts and the stranger lives on', async () => {
    const dataDir = await aDataDir()
    const { uid, gid } = await stat(join(dataDir, 'postgres'))
    // The same user as PostgreSQL: the hardest case, since PostgreSQL itself then believes the file.
    const stranger = spawn('sleep', ['600'], { cwd: '/', stdio: 'ignore', ...(isRoot ? { uid, gid } : {}) })
    cleanups.push(async () => stranger.kill('SIGKILL'))
    const text = `${stranger.pid}\n${join(dataDir, 'postgres')}\n1700000000\n5432\n${join(dataDir, 'postgres')}\n\n  1  1\nready   \n`
    await writeFile(pidFileOf(dataDir), text)
    await writeFile(join(dataDir, 'postgres', '.s.PGSQL.5432.lock'), text)

    const database = await here(dataDir)
    expect(await query(database.url, 'select 1 as n')).toEqual([{ n: 1 }])
    expect(database.recovered).toHaveLength(1)
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull()
  })

  test('an empty pid file does not keep PostgreSQL from starting', async () => {
    const dataDir = await aDataDir()
    await writeFile(pidFileOf(dataDir), '')
    const database = await here(dataDir)
    expect(await query(database.url, 'select 1 as n')).toEqual([{ n: 1 }])
  })

  test('half a cluster from a first start that was cut off is thrown away', async () => {
    const dataDir = await aDataDir()
    await rename(join(dataDir, 'postgres'), join(dataDir, 'postgres.new-cut'))
    const database = await here(dataDir)
    expect(database.fresh).toBe(true)
    expect(await readdir(dataDir)).not.toContain('postgres.new-cut')
  })
})

describe('what cannot be put right is said in one line', () => {
  test('a PostgreSQL that keeps failing is given up with a reason', async () => {
    const dataDir = await aDataDir()
    const service = aService(dataDir)
    await service.ready()
    await rename(
      join(dataDir, 'postgres', 'global', 'pg_control'),
      join(dataDir, 'postgres', 'pg_control.away'),
    )
    process.kill((await postmasterOf(dataDir)) ?? 0, 'SIGKILL')
    await until('the service gives up', async () =>
      service.lines.find((line) => line.lost === 'DATABASE_FAILED'),
    )
    expect(service.lines.map((line) => line.said ?? '').join('\n')).toContain('PostgreSQL did not start: ')
    await service.kill()
  })

  test('a database of another PostgreSQL version is not touched', async () => {
    const dataDir = await aDataDir()
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '14\n')
    await expect(startEmbedded({ dataDir, say: () => {} })).rejects.toMatchObject({
      code: 'DATA_DIR_UNUSABLE',
      message: expect.stringContaining('was written by PostgreSQL 14 and this release brings 18'),
    })
  })

  test('a link to database files that are gone never becomes an empty database', async () => {
    const dataDir = await aDataDir()
    await rm(join(dataDir, 'postgres'), { recursive: true })
    await symlink(join(dataDir, 'gone'), join(dataDir, 'postgres'))
    await expect(startEmbedded({ dataDir, say: () => {} })).rejects.toMatchObject({
      code: 'DATA_DIR_UNUSABLE',
      message: expect.stringContaining('points to a directory that no longer exists'),
    })
  })
})

describe('where PostgreSQL may not go', () => {
  test.runIf(isRoot && onLinux)(
    'a directory only root may enter keeps its database elsewhere and links to it',
    async () => {
      const dataDir = await aNewDataDir()
      await chmod(join(dataDir, '..'), 0o700)
      const said: string[] = []
      const database = await startEmbedded({ dataDir, say: (line) => said.push(line) })
      cleanups.push(database.stop)
      const place = await readlink(join(dataDir, 'postgres'))
      cleanups.push(() => rm(place, { recursive: true, force: true }))
      expect(said.join('\n')).toContain(`the database files are in ${place}`)
      await query(database.url, 'create table kept as select 3 as n')
      await database.stop()
      const again = await here(dataDir)
      expect(again.fresh).toBe(false)
      expect(await rows(again.url)).toEqual([3])
      await again.stop()
    },
  )

  test('a path longer than a socket address may be works like any other', async () => {
    const dataDir = join(await aNewDataDir(), 'deep'.repeat(30))
    const database = await here(dataDir)
    expect(await query(database.url, 'select 1 as n')).toEqual([{ n: 1 }])
    await expect(startEmbedded({ dataDir, say: () => {} })).rejects.toMatchObject({ code: 'DATA_DIR_IN_USE' })
    const socketDir = database.socketDir ?? ''
    await database.stop()
    expect(await stat(socketDir).catch(() => null)).toBeNull()
  })
})
