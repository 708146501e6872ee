// The walls of the house. Each rule was seen to fire on a planted violation.

/** The districts of src/areas, and which others the rooms of each may enter: one way, never in a circle. */
const DISTRICTS = {
  workspace: [],
  catalogue: ['workspace'],
  stock: ['workspace', 'catalogue'],
  dining: ['workspace'],
  selling: ['workspace', 'catalogue', 'stock', 'dining'],
  marketing: ['workspace', 'catalogue', 'stock', 'selling'],
  partners: ['workspace', 'selling'],
  insight: ['workspace', 'catalogue', 'stock', 'dining', 'selling'],
}

/** Which rooms a room may enter, and only through the other's index.ts; a room that is not listed enters none. */
const MAY_ENTER = {
  'catalogue/products': ['catalogue/categories', 'catalogue/modifiers', 'workspace/uploads'],
  'dining/tables': ['workspace/outlets'],
  'dining/kitchen': ['dining/tables'],
  'dining/printers': ['workspace/outlets', 'workspace/uploads'],
  'workspace/auth': ['workspace/outlets', 'workspace/members', 'workspace/notices', 'workspace/settings'],
  'workspace/tills': ['workspace/notices', 'workspace/outlets'],
  'workspace/operator': ['workspace/health'],
  'workspace/members': ['workspace/settings', 'workspace/api-keys', 'workspace/notices'],
  'workspace/api-keys': ['workspace/notices'],
  'workspace/notices': ['workspace/settings'],
  'workspace/settings': ['workspace/uploads'],
  'partners/inbound': ['partners/payments', 'partners/delivery', 'workspace/billing'],
  'partners/delivery': ['selling/customers', 'selling/sales', 'workspace/modules'],
  'partners/payments': ['partners/forwarding', 'selling/sales', 'workspace/modules'],
  'partners/fulfillment': ['partners/forwarding'],
  'partners/forwarding': ['workspace/modules'],
  'workspace/modules': ['workspace/settings'],
  'stock/inventory': ['catalogue/products', 'workspace/outlets'],
  'stock/stock-counts': ['stock/inventory', 'workspace/outlets'],
  'stock/purchase-orders': ['catalogue/products', 'stock/suppliers', 'stock/inventory'],
  'marketing/abandoned-carts': ['workspace/modules'],
  'marketing/avatar': ['workspace/modules'],
  'marketing/blog': ['workspace/uploads'],
  'marketing/feeds': ['workspace/settings'],
  'marketing/storefront': [
    'marketing/blog',
    'marketing/feeds',
    'marketing/referrals',
    'workspace/modules',
    'workspace/settings',
  ],
  'marketing/referrals': ['workspace/modules', 'workspace/settings'],
  'selling/shifts': ['workspace/outlets', 'workspace/settings'],
  'insight/till-catalogue': ['selling/pricing'],
  'insight/webhooks': ['workspace/notices'],
  'insight/reports': [
    'stock/inventory',
    'selling/sales',
    'selling/shifts',
    'workspace/outlets',
    'workspace/settings',
  ],
  'selling/customer-credit': [
    'selling/customers',
    'selling/shifts',
    'workspace/outlets',
    'workspace/settings',
  ],
  'selling/gift-cards': ['selling/customers', 'workspace/modules'],
  'selling/promotions': ['selling/customers', 'workspace/modules'],
  'selling/pricing': ['workspace/settings'],
  'selling/receipt-links': ['selling/sales', 'dining/printers'],
  'selling/labels': ['selling/pricing', 'dining/printers'],
  'selling/sales': [
    'workspace/members',
    'workspace/uploads',
    'workspace/outlets',
    'workspace/settings',
    'catalogue/products',
    'stock/inventory',
    'selling/customer-credit',
    'selling/customers',
    'selling/gift-cards',
    'selling/pricing',
    'selling/promotions',
    'selling/shifts',
    'dining/tables',
    'dining/kitchen',
    'dining/printers',
  ],
}

const between = Object.entries(DISTRICTS).map(([district, others]) => ({
  name: `${district}-enters-only-the-districts-below`,
  comment: `rooms of areas/${district} may enter the districts ${[district, ...others].join(', ')}`,
  from: { path: `^src/areas/${district}/` },
  to: { path: '^src/areas/', pathNot: `^src/areas/(${[district, ...others].join('|')})/` },
}))

const entering = Object.entries(MAY_ENTER).map(([room, others]) => ({
  name: `${room.replace('/', '-')}-enters-only-its-neighbours`,
  comment: `areas/${room} may import ${others.join(', ')}; another need is a decision, taken in .dependency-cruiser.cjs`,
  from: { path: `^src/areas/${room}/` },
  to: { path: '^src/areas/', pathNot: `^src/areas/(${[room, ...others].join('|')})/` },
}))

/** Files that open sockets to the database or this machine, or that only parse addresses. */
const SPEAK_TO_THEIR_OWN = [
  '^src/platform/db/connections\\.ts$',
  '^src/platform/db/embedded/(address|lock|socket)\\.ts$',
  '^src/cli/doctor/port\\.ts$',
  '^src/platform/(config/values|exposure)\\.ts$',
  '^src/platform/http/(loopback|tls)\\.ts$',
  '^src/cli/(authority|tls)\\.ts$',
  '^src/platform/metrics/listen\\.ts$',
]

/** What the reference partners share with the service: tools that know none of its tables. */
const PARTNER_TOOLS = [
  'clock\\.ts$',
  'version\\.ts$',
  'db/(client|migrate|names|open|pg-errors)\\.ts$',
  'http/(drain|fields|json-body|paper|shapes|validate)\\.ts$',
  'mail/files\\.ts$',
  'outgoing/outgoing\\.ts$',
  'print/',
  'mail/smtp\\.ts$',
  'webhooks/(schedule|signature)\\.ts$',
]

/** The folders of src/platform, the lowest first: code of one imports the folders before it. Types may come from any. */
const PLATFORM_FOLDERS = [
  'outgoing',
  'config',
  'files',
  'db',
  'sharding',
  'log',
  'jobs',
  'secrets',
  'webhooks',
  'events',
  'mail',
  'print',
  'images',
  'partners',
  'auth',
  'live',
  'http',
  'backup',
  'metrics',
  'tracing',
  'doctor',
]

const betweenPlatformFolders = PLATFORM_FOLDERS.map((folder, height) => ({
  name: `platform-${folder}-looks-down-only`,
  comment: `src/platform/${folder} may import ${PLATFORM_FOLDERS.slice(0, height).join(', ') || 'no other folder'}`,
  from: { path: `^src/platform/${folder}/` },
  to: {
    path: '^src/platform/[^/]+/',
    pathNot: `^src/platform/(${PLATFORM_FOLDERS.slice(0, height + 1).join('|')})/`,
    dependencyTypesNot: ['type-only'],
  },
}))

/** Inside the sales room: what each part may enter, besides itself; a verb enters no other verb. */
const SALES_ARROWS = {
  'index\\.ts': ['routes\\.ts', 'events\\.ts', 'verbs/', 'receipt/'],
  'routes\\.ts': ['verbs/', 'sale/', 'schema\\.ts'],
  'verbs/': ['steps/', 'decide/', 'sale/', 'store/', 'rules/', 'schema\\.ts'],
  'steps/': ['steps/', 'decide/', 'sale/', 'store/', 'rules/', 'schema\\.ts'],
  'decide/': ['decide/', 'sale/', 'store/', 'rules/', 'events\\.ts', 'schema\\.ts'],
  'events\\.ts': ['schema\\.ts'],
  'sale/': ['sale/', 'store/', 'rules/', 'schema\\.ts'],
  'store/': ['store/', 'sale/types\\.ts', 'rules/', 'schema\\.ts'],
  'receipt/': ['receipt/', 'sale/', 'rules/', 'schema\\.ts'],
  schema: ['rules/', 'schema-record\\.ts'],
  'rules/': ['rules/'],
}

const insideSales = Object.entries(SALES_ARROWS).map(([part, others]) => ({
  name: `in-sales-${part.replace(/\W+(ts)?$/, '')}-looks-down-only`,
  comment: `routes → verbs → steps → decide → rules and store; ${part} may enter ${others.join(', ')}`,
  from: { path: `^src/areas/selling/sales/${part}` },
  to: { path: '^src/areas/selling/sales/', pathNot: `^src/areas/selling/sales/(${others.join('|')})` },
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
    to: { path: '^src/(areas|app|document|events|jobs|main|routes|demo|cli)' },
  },
  {
    name: 'areas-know-nothing-above',
    comment: 'app, main and the commands use the areas, never the other way round',
    from: { path: '^src/areas' },
    to: { path: '^src/(app|document|events|jobs|main|routes|demo|cli)' },
  },
  {
    name: 'areas-know-no-adapter',
    comment: 'an area sees a partner as platform/partners/partners.ts offers it',
    from: { path: '^src/areas' },
    to: { path: '^src/platform/partners/[^/]+/' },
  },
  {
    name: 'areas-meet-at-the-door',
    comment: 'another area is entered through its index.ts only',
    from: { path: '^src/areas/([^/]+/[^/]+)/' },
    to: { path: '^src/areas/', pathNot: ['^src/areas/$1/', '^src/areas/[^/]+/[^/]+/index\\.ts$'] },
  },
  {
    name: 'the-rest-enter-no-area',
    comment: 'an area that MAY_ENTER does not name stands alone',
    from: { path: '^src/areas/([^/]+/[^/]+)/', pathNot: `^src/areas/(${Object.keys(MAY_ENTER).join('|')})/` },
    to: { path: '^src/areas/', pathNot: '^src/areas/$1/' },
  },
  ...between,
  ...entering,
  ...insideSales,
  ...betweenPlatformFolders,
  {
    name: 'a-tool-lives-in-a-known-folder',
    comment: 'PLATFORM_FOLDERS lists the folders of src/platform in their order',
    from: { path: '^src/platform/[^/]+/', pathNot: `^src/platform/(${PLATFORM_FOLDERS.join('|')})/` },
    to: {},
  },
  {
    name: 'a-room-lives-in-a-district',
    comment: 'src/areas holds districts, and a district holds rooms: nothing lies beside them',
    from: {
      path: [
        '^src/areas/[^/]+\\.ts$',
        '^src/areas/[^/]+/[^/]+\\.ts$',
        `^src/areas/(?!(${Object.keys(DISTRICTS).join('|')})/)`,
      ],
    },
    to: {},
  },
  {
    name: 'rules-are-pure',
    comment: 'a rule decides from its arguments; it reads nothing',
    from: { path: '^src/areas/[^/]+/[^/]+/rules' },
    to: {
      path: '^src/platform|/(store|service|routes)[^/]*\\.ts$|/(store|steps|verbs)/|node_modules/(kysely|pg|fastify)/',
      dependencyTypesNot: ['type-only'],
    },
  },
  {
    name: 'decisions-are-pure',
    comment:
      'a decision about a sale is made from its arguments: of the platform and the stores it uses types only',
    from: { path: '^src/areas/selling/sales/decide' },
    to: {
      path: '^src/platform/(?!events/outbox|scope)|/selling/sales/(store|steps|verbs)/|node_modules/(kysely|pg|fastify)/',
      dependencyTypesNot: ['type-only'],
    },
  },
  {
    name: 'one-writer-of-a-sale',
    comment: 'a sale is written by writeSaleChanges: only store/write.ts uses the forms of the write',
    from: {
      path: '^src',
      pathNot: '^src/areas/selling/sales/store/(write|one-statement|in-steps|create-texts|pay-texts)\\.ts$',
    },
    to: { path: '^src/areas/selling/sales/store/(one-statement|in-steps|create-texts|pay-texts|rows)\\.ts$' },
  },
  {
    name: 'only-stores-speak-sql',
    comment: 'SQL lives in store files',
    from: { path: '^src/areas', pathNot: ['/(store|statements)[^/]*\\.ts$', '/store/'] },
    to: { path: 'node_modules/(kysely|pg)/' },
  },
  {
    name: 'only-outgoing-calls-out',
    comment:
      'a request leaves the service through platform/outgoing, where its address, time and size are bounded',
    from: { path: '^(src|reference-partners)/', pathNot: ['^src/platform/outgoing/', ...SPEAK_TO_THEIR_OWN] },
    to: {
      path: '^(node:)?(net|tls|http|https|http2|dns|dgram)(/|$)|node_modules/undici/',
      dependencyTypesNot: ['type-only'],
    },
  },
  {
    name: 'the-service-knows-no-command',
    comment:
      'app and its table are built by main, and main is called by the commands: never the other way round',
    from: { path: '^src/(app|routes|document)(/|\\.ts$)' },
    to: { path: '^src/(main\\.ts|cli)' },
  },
  {
    name: 'the-start-knows-no-command',
    comment: 'a command starts the service; the start knows nothing of commands',
    from: { path: '^src/main\\.ts$' },
    to: { path: '^src/cli' },
  },
  {
    name: 'the-demo-calls-routes',
    comment: 'the demo is a story told to the API: it knows tools and rules, and no room, app or command',
    from: { path: '^src/demo' },
    to: { path: '^src/(areas|app|document|events|jobs|main|routes|cli)' },
  },
  {
    name: 'only-the-command-tells-the-demo',
    comment: 'nothing that serves depends on the demo',
    from: { pathNot: '^src/(demo|cli)/' },
    to: { path: '^src/demo' },
  },
  {
    name: 'reference-partners-stand-alone',
    comment: 'a reference partner is a product of its own: of Kasir it uses src/partner-tools.ts only',
    from: { path: '^reference-partners/' },
    to: { path: '^src/', pathNot: '^src/partner-tools\\.ts$' },
  },
  {
    name: 'partner-tools-know-no-table',
    comment: 'what is shared with the reference partners is core and the tools named here',
    from: { path: '^src/partner-tools\\.ts$' },
    to: { path: '^src/', pathNot: ['^src/core/', `^src/platform/(${PARTNER_TOOLS.join('|')})`] },
  },
  {
    name: 'partner-tools-are-for-partners',
    comment: 'the service imports its own files directly',
    from: { pathNot: '^reference-partners/' },
    to: { path: '^src/partner-tools\\.ts$' },
  },
  {
    name: 'reference-partners-know-no-other',
    comment: 'what two reference partners share is the kit, which knows none of them',
    from: { path: '^reference-partners/src/([^/]+)/' },
    to: { path: '^reference-partners/', pathNot: '^reference-partners/src/($1|kit)/' },
  },
  {
    name: 'only-the-start-knows-reference-partners',
    comment: 'the service reaches them over HTTP, like any partner',
    from: { pathNot: '^(reference-partners/|src/(cli/|main\\.ts$))' },
    to: { path: '^reference-partners' },
  },
  {
    name: 'the-register-shares-only-core',
    comment:
      'the app knows the service by its client; the rules that both need are core, and web/src/core*.ts name them',
    from: { path: '^web/', pathNot: '^web/src/core(-paper|-catalogue)?\\.ts$' },
    to: { path: '^(src|reference-partners)/' },
  },
  {
    name: 'core-of-the-register-is-core',
    comment: 'web/src/core*.ts pass on rules of core',
    from: { path: '^web/src/core(-paper|-catalogue)?\\.ts$' },
    to: { path: '^(src|reference-partners)/', pathNot: '^src/core/' },
  },
  {
    name: 'the-service-knows-no-register',
    comment: 'the service serves the built files and imports none',
    from: { path: '^(src|reference-partners|client)/' },
    to: { path: '^web/' },
  },
  {
    name: 'features-meet-in-the-app',
    comment: 'a feature imports no other: what two share is ui, offline or app',
    from: { path: '^web/src/features/([^/]+)/' },
    to: { path: '^web/src/features/', pathNot: '^web/src/features/$1/' },
  },
  {
    name: 'ui-knows-no-feature',
    comment: 'buttons and windows are used by features, never the other way round',
    from: { path: '^web/src/(ui|offline|texts)/' },
    to: { path: '^web/src/features/' },
  },
  { name: 'no-cycles', comment: 'a cycle has no first reader', from: {}, to: { circular: true } },
]

module.exports = {
  forbidden: rules.map((rule) => ({ severity: 'error', ...rule })),
  options: {
    doNotFollow: { path: ['node_modules', '^client/'] },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default'],
    },
  },
}
