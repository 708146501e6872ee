import type { Command } from './command.ts'

/** Each command is imported on demand, so `serve` does not load what only `demo` needs. */
export const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./serve.ts')).serve,
  migrate: async () => (await import('./migrate.ts')).migrate,
  shard: async () => (await import('./shard.ts')).shard,
  demo: async () => (await import('./demo.ts')).demo,
  'import-catalogue': async () => (await import('./import-catalogue.ts')).importCatalogue,
  'export-catalogue': async () => (await import('./export-catalogue.ts')).exportCatalogue,
  mcp: async () => (await import('./mcp.ts')).mcp,
  'delegation-token': async () => (await import('./delegation-token.ts')).delegationToken,
  'reference-partner': async () => (await import('./reference-partner.ts')).referencePartner,
  backup: async () => (await import('./backup.ts')).backup,
  restore: async () => (await import('./restore.ts')).restore,
  'rebuild-rollups': async () => (await import('./rebuild-rollups.ts')).rebuildRollupsCommand,
  listen: async () => (await import('./listen.ts')).listen,
  trigger: async () => (await import('./trigger.ts')).trigger,
  'rotate-secrets': async () => (await import('./rotate-secrets.ts')).rotateSecrets,
  'reset-second-factor': async () => (await import('./reset-second-factor.ts')).resetSecondFactorCommand,
  'operator-link': async () => (await import('./operator-link.ts')).operatorLink,
  tls: async () => (await import('./tls.ts')).tls,
  doctor: async () => (await import('./doctor.ts')).doctor,
}

export const EXAMPLES = [
  ['kasir serve', 'start the service on http://127.0.0.1:3000'],
  ['PORT=8080 kasir serve', 'start it on another port'],
  ['kasir serve --help', 'show the purpose, options and settings of a command'],
] as const
