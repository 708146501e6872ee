import { inflateSync } from 'node:zlib'

type PdfText = { text: string; x: number; y: number }
type PdfPage = { texts: PdfText[]; content: string }

/** Reads what a PDF of pdfkit says: the size of its paper and the text of each page with its place from the bottom left. */
export function readPdf(bytes: Buffer): { papers: number[][]; pages: PdfPage[] } {
  const file = bytes.toString('latin1')
  const papers = [...file.matchAll(/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)].map(([, width, height]) => [
    Number(width),
    Number(height),
  ])
  const pages = [...file.matchAll(/\/Filter \/FlateDecode\n>>\nstream\n([^]*?)\nendstream/g)].map(
    ([, stream = '']) => {
      const content = inflateSync(Buffer.from(stream, 'latin1')).toString('latin1')
      return { content, texts: textsIn(content) }
    },
  )
  return { papers, pages }
}

const TEXT = /1 0 0 1 (-?[\d.]+) (-?[\d.]+) Tm\n[^]*?\[(.*?)\] TJ/g

const textsIn = (content: string): PdfText[] =>
  [...content.matchAll(TEXT)].map(([, x, y, strings = '']) => ({
    text: [...strings.matchAll(/<([\da-f]*)>/g)].map(([, hex = '']) => lettersOf(hex)).join(''),
    x: Number(x),
    y: Number(y),
  }))

const lettersOf = (hex: string) => new TextDecoder('windows-1252').decode(Buffer.from(hex, 'hex'))
