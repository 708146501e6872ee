// What the package says about itself and brings along, made from the manifest and the lock file of the clone.

/** Only developers use these, or they work in a clone only. */
const OF_THE_CLONE = ['devDependencies', 'overrides', 'scripts', 'workspaces']
/** The workspace whose compiled form is part of the service, so that the service needs its dependencies too. */
const COMPILED_IN = 'reference-partners'

/**
 * The packages that the service needs, as paths of the lock file. `bundled` go into the package, so that every
 * installation has the tested versions (npm ignores a shrinkwrap in a package file). `platforms` are programs for one
 * kind of machine; npm fetches the one that fits.
 */
export function partsOf({ packages }, { dependencies }) {
  const isForOne = (path) => packages[path].os !== undefined || packages[path].cpu !== undefined
  const needed = { ...packages[COMPILED_IN]?.dependencies, ...dependencies }
  const reached = withinReach(new Map(Object.entries(packages)), needed, isForOne)
  return { bundled: reached.filter((path) => !isForOne(path)), platforms: reached.filter(isForOne) }
}

export function packagedManifest(manifest, lock) {
  const { bundled, platforms } = partsOf(lock, manifest)
  const own = Object.entries(manifest).filter(([name]) => !OF_THE_CLONE.includes(name))
  return {
    ...Object.fromEntries(own),
    dependencies: versionsOf(
      lock,
      Object.keys({ ...lock.packages[COMPILED_IN]?.dependencies, ...manifest.dependencies }).map(atTop),
    ),
    optionalDependencies: versionsOf(lock, platforms),
    bundleDependencies: bundled.filter((path) => atTop(nameOf(path)) === path).map(nameOf),
  }
}

const atTop = (name) => `node_modules/${name}`
const nameOf = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
const versionsOf = ({ packages }, paths) =>
  Object.fromEntries(paths.map((path) => [nameOf(path), packages[path].version]))

/**
 * A workspace brings packages along that the service does without: only what a dependency leads to is needed. What a
 * program for one kind of machine needs, npm fetches with it.
 */
function withinReach(locked, dependencies, isForOne) {
  const reached = new Set()
  const visit = (from, names) => {
    for (const name of names) {
      const path = placeOf(locked, from, name)
      if (path === undefined || reached.has(path)) continue
      reached.add(path)
      if (isForOne(path)) continue
      const { dependencies = {}, optionalDependencies = {}, ...rest } = locked.get(path)
      const { peerDependencies = {}, peerDependenciesMeta = {} } = rest
      const peers = Object.keys(peerDependencies).filter((peer) => !peerDependenciesMeta[peer]?.optional)
      visit(path, [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers])
    }
  }
  visit('', Object.keys(dependencies))
  return [...reached].sort()
}

/** The directory in which Node finds `name` for a package at `from`. */
function placeOf(locked, from, name) {
  const path = from === '' ? atTop(name) : `${from}/${atTop(name)}`
  if (locked.has(path)) return path
  if (from === '') return undefined
  const above = from.lastIndexOf('/node_modules/')
  return placeOf(locked, above === -1 ? '' : from.slice(0, above), name)
}
