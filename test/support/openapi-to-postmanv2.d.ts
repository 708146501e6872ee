declare module 'openapi-to-postmanv2' {
  export type Item = { item?: Item[]; request?: { method: string; name: string } }
  type Converted = { result: boolean; reason?: string; output: { data: Item }[] }
  export function convertV2(
    input: { type: 'string'; data: string },
    options: { folderStrategy: 'Tags' | 'Paths' },
    done: (error: Error | null, converted: Converted) => void,
  ): void
}
