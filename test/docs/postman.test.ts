import { convertV2, type Item } from 'openapi-to-postmanv2'
import { expect, test } from 'vitest'
import { documentAt } from '../../src/document.ts'
import { routes } from '../../src/routes.ts'

const requestsIn = ({ item = [], request }: Item): NonNullable<Item['request']>[] => [
  ...(request === undefined ? [] : [request]),
  ...item.flatMap(requestsIn),
]

test('Postman imports the document without an error, and has every operation of it', async () => {
  const data = JSON.stringify(documentAt('https://pos.example.com'))
  const collection = await new Promise<Item>((resolve, reject) => {
    convertV2({ type: 'string', data }, { folderStrategy: 'Tags' }, (error, { result, reason, output }) => {
      if (error !== null || !result || output[0] === undefined) reject(error ?? new Error(reason))
      else resolve(output[0].data)
    })
  })
  const named = requestsIn(collection).map(({ method, name }) => `${method} ${name}`)
  expect(named.toSorted()).toEqual(routes.map(({ method, summary }) => `${method} ${summary}`).toSorted())
}, 60_000)
