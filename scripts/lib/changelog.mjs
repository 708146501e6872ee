/**
 * Why this version may not be released; null if it may. A released version has a section with a date, and nothing is left
 * under Unreleased.
 */
export function changelogFault(text, version) {
  const sections = text.split(/^## /m).slice(1)
  const section = sections.find((one) => one.startsWith(`[${version}]`))
  if (section === undefined) return `CHANGELOG.md has no section for ${version}.`
  if (!/^\[[^\]]+\] - \d{4}-\d{2}-\d{2}$/m.test(section))
    return `The section for ${version} in CHANGELOG.md has no date.`
  const unreleased = sections.find((one) => one.startsWith('[Unreleased]')) ?? ''
  return /^- /m.test(unreleased) ? 'CHANGELOG.md still has lines under Unreleased.' : null
}
