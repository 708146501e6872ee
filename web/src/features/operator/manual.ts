/** The page and section of the documentation about each check of the doctor. */
export const MANUAL: Readonly<Record<string, string>> = {
  'Node.js': 'docs/self-hosting.md#one-file',
  'data directory': 'docs/operations.md#the-disk-is-almost-full',
  'database disk': 'docs/operations.md#the-disk-is-almost-full',
  'uploads disk': 'docs/operations.md#the-disk-is-almost-full',
  'secrets key': 'docs/self-hosting.md#the-key-for-secrets',
  network: 'docs/self-hosting.md#https-for-tablets',
  database: 'docs/operations.md#the-database-is-down',
  role: 'docs/self-hosting.md#a-postgresql-of-your-own',
  durability: 'docs/self-hosting.md#a-postgresql-of-your-own',
  connections: 'docs/operations.md#requests-wait-for-the-database',
  clock: 'docs/self-hosting.md#what-is-kept-and-how-long',
  search: 'docs/self-hosting.md#a-postgresql-of-your-own',
  schema: 'docs/self-hosting.md#updates',
  jobs: 'docs/operations.md#a-job-is-failing',
  backups: 'docs/operations.md#there-is-no-recent-backup',
}

export const manualOf = (check: string): string | null => MANUAL[check] ?? null
