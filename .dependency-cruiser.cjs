// The walls of the house. Each rule was seen to fire on a planted violation.

/** Which areas an area may enter, and only through the other's index.ts; whoever is not named enters none. */
const MAY_ENTER = {
  products: ['categories', 'modifiers'],
  tables: ['outlets'],
  shifts: ['outlets'],
  auth: ['outlets', 'members', 'settings'],
  members: ['settings'],
  inventory: ['products', 'outlets'],
  'purchase-orders': ['suppliers', 'inventory'],
  'gift-cards': ['customers'],
  kitchen: ['tables'],
  sales: ['outlets', 'products', 'inventory', 'customers', 'gift-cards', 'tables', 'shifts', 'kitchen'],
}

const entering = Object.entries(MAY_ENTER).map(([area, others]) => ({
  name: `${area}-enters-only-its-neighbours`,
  comment: `areas/${area} may import ${others.join(', ')}; another need is a decision, taken in .dependency-cruiser.cjs`,
  from: { path: `^src/areas/${area}/` },
  to: { path: '^src/areas/', pathNot: `^src/areas/(${[area, ...others].join('|')})/` },
}))

const rules = [
  {
    name: 'core-is-pure',
    comment: 'core holds rules and words: no I/O, nothing from the layers above',
    from: { path: '^src/core' },
    to: {
      path: '^src/(?!core/)|^(node:)?(fs|net|http|child_process)|node_modules/(kysely|pg|fastify|pino)/',
    },
  },
  {
    name: 'platform-knows-no-area',
    comment: 'platform is tools; it is used by areas, never the other way round',
    from: { path: '^src/platform' },
    to: { path: '^src/(partners|areas|app|main|routes|cli)' },
  },
  {
    name: 'partners-know-no-area',
    comment: 'an adapter speaks to a partner in the words of core/ports.ts',
    from: { path: '^src/partners' },
    to: { path: '^src/(areas|app|main|routes|cli)' },
  },
  {
    name: 'areas-know-no-adapter',
    comment: 'an area knows a partner by the words of core/ports.ts only',
    from: { path: '^src/areas' },
    to: { path: '^src/(partners|app|main|routes|cli)' },
  },
  {
    name: 'areas-meet-at-the-door',
    comment: 'another area is entered through its index.ts only',
    from: { path: '^src/areas/([^/]+)/' },
    to: { path: '^src/areas/', pathNot: ['^src/areas/$1/', '^src/areas/[^/]+/index\\.ts$'] },
  },
  {
    name: 'the-rest-enter-no-area',
    comment: 'an area that MAY_ENTER does not name stands alone',
    from: { path: '^src/areas/([^/]+)/', pathNot: `^src/areas/(${Object.keys(MAY_ENTER).join('|')})/` },
    to: { path: '^src/areas/', pathNot: '^src/areas/$1/' },
  },
  ...entering,
  {
    name: 'rules-are-pure',
    comment: 'a rule decides from its arguments; it reads nothing',
    from: { path: '^src/areas/[^/]+/rules' },
    to: {
      path: '^src/platform|/(store|service|routes)[^/]*\\.ts$|node_modules/(kysely|pg|fastify)/',
      dependencyTypesNot: ['type-only'],
    },
  },
  {
    name: 'only-stores-speak-sql',
    comment: 'SQL lives in store files',
    from: { path: '^src/areas', pathNot: ['/store[^/]*\\.ts$', '/store/'] },
    to: { path: 'node_modules/(kysely|pg)/' },
  },
  { name: 'no-cycles', comment: 'a cycle has no first reader', from: {}, to: { circular: true } },
]

module.exports = {
  forbidden: rules.map((rule) => ({ severity: 'error', ...rule })),
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default'],
    },
  },
}
