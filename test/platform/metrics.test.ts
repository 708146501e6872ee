import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { parse } from 'yaml'
import { ownService } from '../support/service.ts'

const READY = /^ {2}Metrics {8}(http:\S+)$/m
let service: Awaited<ReturnType<typeof ownService>>
let metrics = ''

beforeAll(async () => {
  service = await ownService({ METRICS_PORT: '0' })
  await service.start()
  metrics = await vi.waitFor(() => {
    const [, address] = READY.exec(service.output()) ?? []
    if (address === undefined) throw new Error(`no line of the metrics: ${service.output()}`)
    return address
  })
}, 120_000)
afterAll(() => service.end())

const figures = async () => (await fetch(metrics)).text()
const root = (file: string) => new URL(`../../${file}`, import.meta.url)

test('GET /metrics counts the answers of a route, and puts unknown paths under one label', async () => {
  await fetch(`${service.address()}/api/v1/health`)
  await fetch(`${service.address()}/api/v1/sales`)
  for (const path of ['/one', '/two']) await fetch(`${service.address()}/api/v1${path}`)
  const text = await figures()
  const count = 'kasir_http_request_duration_seconds_count'
  expect(text).toContain(`${count}{method="GET",route="/api/v1/health",status="200"} 1\n`)
  expect(text).toContain(`${count}{method="GET",route="/api/v1/sales",status="401"} 1\n`)
  expect(text).toContain(`${count}{method="GET",route="unknown",status="404"} 2\n`)
  expect(text).not.toContain('/one')
})

test('the gauges show a database that can be written to, its connections and the jobs', async () => {
  const text = await figures()
  expect(text).toContain('kasir_database_up{database="books"} 1\n')
  expect(text).toMatch(/^kasir_database_connections\{state="waiting"\} 0$/m)
  expect(text).toMatch(/^kasir_disk_free_bytes\{disk="data"\} \d+/m)
  await expect.poll(figures).toMatch(/^kasir_job_ok\{job="sweep"\} 1$/m)
})

test('the port of the metrics serves nothing else, and the port of the API has no metrics', async () => {
  expect((await fetch(new URL('/api/v1/health', metrics))).status).toBe(404)
  expect((await fetch(metrics, { method: 'POST' })).status).toBe(405)
  expect((await fetch(`${service.address()}/metrics`)).status).toBe(404)
})

describe('the alerts and the dashboard', () => {
  const METRIC = /\b(?:kasir|process|nodejs)_[a-z0-9_]+/g
  const nameOf = (metric: string) => metric.replace(/_(?:bucket|count|sum)$/, '')

  test('name only metrics that the service has', async () => {
    const known = new Set([...(await figures()).matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
    for (const file of ['alerts.yaml', 'grafana.json']) {
      const text = await readFile(root(`docs/monitoring/${file}`), 'utf8')
      const unknown = [...text.matchAll(METRIC)]
        .map(([name]) => nameOf(name))
        .filter((name) => !known.has(name))
      expect(unknown, file).toEqual([])
    }
  })

  test('docs/operations.md explains every metric of Kasir', async () => {
    const ours = [...(await figures()).matchAll(/^# TYPE (kasir_\S+)/gm)].map(([, name]) => `\`${name}\``)
    expect(ours.length).toBeGreaterThan(10)
    const page = await readFile(root('docs/operations.md'), 'utf8')
    const table = page
      .split('\n')
      .filter((line) => line.startsWith('| `kasir_'))
      .join('\n')
    expect(ours.filter((name) => !table.includes(name))).toEqual([])
  })

  type Rules = { groups: { rules: { alert: string; annotations: { runbook: string } }[] }[] }
  const readAlerts = async () => {
    const { groups } = parse(await readFile(root('docs/monitoring/alerts.yaml'), 'utf8')) as Rules
    return groups.flatMap(({ rules }) => rules)
  }

  test('every alert points to the section of docs/operations.md that names it, and the page names no other', async () => {
    const page = await readFile(root('docs/operations.md'), 'utf8')
    const sections = page.split(/^## /m).map((text) => {
      const title = text.split('\n', 1)[0] ?? ''
      const anchor = title
        .toLowerCase()
        .replaceAll(/[^a-z0-9 ]/g, '')
        .replaceAll(' ', '-')
      const alerts = [...text.matchAll(/`(Kasir[A-Z]\w+)`/g)].map(([, name]) => name)
      return { runbook: `docs/operations.md#${anchor}`, alerts }
    })
    const named = sections.flatMap(({ runbook, alerts }) => alerts.map((alert) => ({ alert, runbook })))
    const alerts = await readAlerts()
    expect(alerts.length).toBeGreaterThan(10)
    const pointing = alerts.map(({ alert, annotations: { runbook } }) => ({ alert, runbook }))
    expect(new Set(named.map((one) => JSON.stringify(one)))).toEqual(
      new Set(pointing.map((one) => JSON.stringify(one))),
    )
  })
})
