import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { FastifyInstance } from 'fastify'
import { STATEMENTS, type StatementNotice } from '../db/prepared.ts'
import { OUTGOING, type OutgoingNotice } from '../outgoing/outgoing.ts'
import { VERSION } from '../version.ts'

/** Characters of an attribute; the text of a sale's statement is longer. */
const LONGEST_ATTRIBUTE = 500

/** How long the last spans may take at the end of the service. */
const LAST_EXPORT_MS = 2_000

/** The span of the request that this code works for. */
const current = new AsyncLocalStorage<Context>()
const propagator = new W3CTraceContextPropagator()

type Tracer = ReturnType<BasicTracerProvider['getTracer']>

/**
 * Traces each request of `app` with its statements and the requests that it sends to partners, and exports them to the
 * collector at `address` (OTLP over HTTP). A caller's `traceparent` is continued, and a partner gets one. A statement that
 * several requests share belongs to the request that sent it. Spans name routes, statements and hosts, never a workspace, a
 * person or a value.
 */
export function openTraces(app: FastifyInstance, address: string): { close(): Promise<void> } {
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'kasir', 'service.version': VERSION }),
    spanLimits: { attributeValueLengthLimit: LONGEST_ATTRIBUTE },
    spanProcessors: [
      new BatchSpanProcessor(new OTLPTraceExporter({ url: `${address.replace(/\/+$/, '')}/v1/traces` })),
    ],
  })
  const tracer = provider.getTracer('kasir', VERSION)
  traceRequests(app, tracer)
  const ends = [traceStatements(tracer), traceOutgoing(tracer)]
  return {
    close: async () => {
      for (const end of ends) end()
      // A collector that is away or silent must not keep the service from ending.
      await Promise.race([
        provider.shutdown().catch(() => {}),
        sleep(LAST_EXPORT_MS, undefined, { ref: false }),
      ])
    },
  }
}

function traceRequests(app: FastifyInstance, tracer: Tracer) {
  const spans = new WeakMap<object, Span>()
  app.addHook('onRequest', (request, _reply, next) => {
    const route = request.routeOptions.url
    const attributes = {
      'http.request.method': request.method,
      'kasir.request_id': request.id,
      ...(route === undefined ? {} : { 'http.route': route }),
    }
    const caller = propagator.extract(ROOT_CONTEXT, request.headers, defaultTextMapGetter)
    const name = `${request.method} ${route ?? 'unknown'}`
    const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, caller)
    spans.set(request, span)
    current.run(trace.setSpan(caller, span), next)
  })
  app.addHook('onResponse', (request, { statusCode }, next) => {
    const span = spans.get(request)
    span?.setAttribute('http.response.status_code', statusCode)
    if (statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
    next()
  })
}

/** Only the statements of requests: jobs look for work every second. */
function traceStatements(tracer: Tracer) {
  const spans = new WeakMap<StatementNotice, Span>()
  const begin = (notice: StatementNotice) => {
    const parent = current.getStore()
    if (!parent) return
    const { name, text } = notice
    const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text }
    const short = name ?? text.trimStart().split(/\s/, 1)[0] ?? 'statement'
    spans.set(notice, tracer.startSpan(short, { kind: SpanKind.CLIENT, attributes }, parent))
  }
  return follow(STATEMENTS, begin, spans)
}

function traceOutgoing(tracer: Tracer) {
  const spans = new WeakMap<OutgoingNotice, Span>()
  const begin = (notice: OutgoingNotice) => {
    const parent = current.getStore() ?? ROOT_CONTEXT
    const { method, origin, headers } = notice
    const attributes = { 'http.request.method': method, 'server.address': new URL(origin).hostname }
    const span = tracer.startSpan(`${method} ${origin}`, { kind: SpanKind.CLIENT, attributes }, parent)
    spans.set(notice, span)
    propagator.inject(trace.setSpan(parent, span), headers, defaultTextMapSetter)
  }
  return follow(OUTGOING, begin, spans)
}

type TracedChannel<N extends object> = {
  subscribe(subscribers: object): void
  unsubscribe(subscribers: object): void
} & { readonly notice?: N }

/** Begins a span with each notice of a channel and ends it with its answer. Returns a function that unsubscribes. */
function follow<N extends object>(
  channel: TracedChannel<N>,
  begin: (notice: N) => void,
  spans: WeakMap<N, Span>,
) {
  const subscribers = {
    start: begin,
    end: () => {},
    asyncStart: () => {},
    asyncEnd: (notice: N) => spans.get(notice)?.end(),
    error: (notice: N) => spans.get(notice)?.setStatus({ code: SpanStatusCode.ERROR }),
  }
  channel.subscribe(subscribers)
  return () => channel.unsubscribe(subscribers)
}
