import type pg from 'pg'

/** What one server says about itself: whether it may be the replica of another one, and how far it has come. */
export type ServerState = {
  isStandby: boolean
  /** The cluster, which a standby shares with its primary, and the database in it. */
  identity: string
  /** The position in the write-ahead log: flushed by a primary, replayed by a standby. */
  position: bigint
}

const STATE = `select pg_is_in_recovery() as "isStandby",
  (select c.system_identifier::text from pg_control_system() c) || ' ' || current_database() as identity,
  pg_wal_lsn_diff(case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_flush_lsn() end,
    '0/0')::text as position`

type StateRow = Omit<ServerState, 'position'> & { position: string | null }

/** Reads the state with the rights of an ordinary role. */
export async function readServerState(client: pg.ClientBase): Promise<ServerState> {
  const [row] = (await client.query<StateRow>(STATE)).rows
  if (!row) throw new Error('a select without a table answers one row')
  return { ...row, position: BigInt(row.position ?? 0) }
}

/** Why the server at READ_REPLICA_URL is no read replica of the primary; null if it is one. */
export function replicaFault(primary: ServerState, replica: ServerState): string | null {
  if (!replica.isStandby) return 'it is not a standby: it accepts writes'
  return replica.identity === primary.identity ? null : 'it is a standby of another database'
}

/** An instant, and the position that the primary had reached by then. */
type Mark = { position: bigint; instant: string; ms: number }

/** More than a replica that is slow needs: behind that, marks are left out until it catches up. */
const MOST_MARKS = 600

/**
 * Tells how old the data of a replica is. A replica that has replayed the position of a mark has every change that was
 * acknowledged before its instant. An idle primary stays at its position, so its replica is never behind.
 */
export function trackReplay() {
  let ahead: Mark[] = []
  let replayed: Mark | null = null
  return {
    mark: (mark: Mark) => {
      if (ahead.length < MOST_MARKS) ahead.push(mark)
    },
    replayedTo: (position: bigint) => {
      // The server at the address was replaced by an older copy.
      if (replayed !== null && position < replayed.position) replayed = null
      replayed = ahead.findLast((mark) => mark.position <= position) ?? replayed
      const reached = replayed
      if (reached !== null) ahead = ahead.filter(({ ms }) => ms > reached.ms)
    },
    /** The newest mark that the replica has replayed; null before the first. */
    replayed: () => replayed,
  }
}
