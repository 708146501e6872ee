/** What the tests use of it; it comes without types. */
declare module '@20minutes/s3rver' {
  type Options = {
    address: string
    port: number
    silent: boolean
    directory: string
    configureBuckets: { name: string; configs: unknown[] }[]
  }
  // oxlint-disable-next-line import/no-default-export -- as the package has it
  export default class S3rver {
    constructor(options: Options)
    run(): Promise<{ port: number }>
    close(): Promise<void>
  }
}
