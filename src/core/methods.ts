/** True if a request with this HTTP method may change data. */
export const isUnsafe = (method: string) => !['GET', 'HEAD', 'OPTIONS'].includes(method)
