import fc from 'fast-check'
import { expect, test } from 'vitest'
import { answerIn } from '../../src/platform/partners/answer.ts'

const replyOf = (text: string) => ({ status: 200, headers: {}, body: Buffer.from(text), isCut: false })
const blank = fc.constantFrom('', ' ', '\n\t')
const member = fc.tuple(fc.string(), fc.jsonValue())

test('whatever stands around it, data is found as it is written', () => {
  fc.assert(
    fc.property(
      fc.array(member, { maxLength: 4 }),
      fc.jsonValue({ maxDepth: 8 }),
      fc.nat(4),
      blank,
      (others, data, place, space) => {
        const written = JSON.stringify(data, null, space)
        const members = others
          .filter(([key]) => key !== 'data' && key !== 'meta')
          .map(([key, value]) => `${space}${JSON.stringify(key)}${space}:${space}${JSON.stringify(value)}`)
        members.splice(place, 0, `${space}"data"${space}:${space}${written}${space}`)
        const answer = answerIn(replyOf(`{${members.join(',')}}`))
        expect(answer.data).toEqual(JSON.parse(written))
        expect(answer.text ?? written).toBe(written)
        if (!others.some(([key]) => JSON.stringify(key).includes('\\'))) expect(answer.text).toBe(written)
      },
    ),
  )
})
