import type { Deps } from '../deps.ts'
import { backups } from './backups.ts'
import { certificate } from './certificate.ts'
import type { Finding } from './finding.ts'
import { dataDirectory, network, nodeVersion, otherDisks, secretsKey } from './machine.ts'
import { readReplica } from './replica.ts'
import { databaseServer, jobs } from './server.ts'

/**
 * Runs the checks that are cheap enough for a page of a running service. The books, which take a minute, gift cards,
 * sign-in providers and the workers of a sharded database are left to `kasir doctor`.
 */
export async function examineService({
  config,
  pool,
  clock,
}: Pick<Deps, 'config' | 'pool' | 'clock'>): Promise<Finding[]> {
  const findings: Finding[] = [
    nodeVersion(),
    await dataDirectory(config),
    ...(await otherDisks(config)),
    (await secretsKey(config)).finding,
    ...network(config),
    ...certificate(config, clock.ms()),
  ]
  const client = await pool.connect()
  try {
    const report = (finding: Finding) => void findings.push(finding)
    if (await databaseServer(client, config, { inUse: true, report })) {
      findings.push(...(await readReplica(client, config)), ...(await jobs(client)))
      findings.push(...(await backups(client, clock.ms())))
    }
  } finally {
    client.release()
  }
  return findings
}
