import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { verifyWebhook } from 'kasir-client/webhooks'

const { KASIR_WEBHOOK_SECRET = '', PORT = '4000' } = process.env
createServer(async (request, response) => {
  try {
    const event = verifyWebhook(await buffer(request), request.headers, KASIR_WEBHOOK_SECRET)
    if (event.type === 'service.sale.completed.v1') console.log('Sold:', event.data)
    response.writeHead(204).end()
  } catch (error) {
    console.error(error)
    response.writeHead(400).end()
  }
}).listen(Number(PORT), '127.0.0.1')
