import { Type } from 'typebox'
import { event } from '../../../core/events.ts'
import { Module } from './schema.ts'

export const moduleChanged = event('service.module.changed.v1', {
  group: 'module',
  meaning: 'A module was switched on or off by hand.',
  data: Type.Object({ module: Module }),
})

export const moduleEvents = [moduleChanged]
