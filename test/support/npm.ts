/** How npm reaches a registry from here: proxies, certificates, and npm's own settings. */
const OF_NPM =
  /^(?:https?_proxy|no_proxy|all_proxy|node_extra_ca_certs|node_use_.+|ssl_cert_(?:file|dir)|npm_config_.+)$/i

/** The variables without which npm may not reach the registry of this machine. */
export const npmEnvironment = (env: NodeJS.ProcessEnv = process.env): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      OF_NPM.test(name) && value !== undefined ? [[name, value]] : [],
    ),
  )
