import { Type } from 'typebox'
import { event } from '../../../core/events.ts'
import { Module } from './schema.ts'

export const moduleChanged = event('service.module.changed.v1', {
  group: 'module',
  meaning: 'A user switched a module on or off.',
  data: Type.Object({ module: Module }),
})

export const moduleEvents = [moduleChanged]
