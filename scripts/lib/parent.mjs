// Runs on plain Node before anything is installed: only built-in modules here, and syntax old Nodes parse.
import { readFileSync } from 'node:fs'

const LOOK_MS = 500

/** The parent of a process on Linux; null on other systems and for a process that has ended. */
function parentOf(pid) {
  try {
    // The name in parentheses may hold anything, so fields are counted from its end.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return null
  }
}

/**
 * Ends this process in good order when npm ends. npm runs a shell that runs us: a signal to npm reaches the shell, and
 * a killed npm leaves both behind.
 */
export function endWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return
  const shell = process.ppid
  const npm = parentOf(shell)
  const look = setInterval(() => {
    if (process.ppid === shell && parentOf(shell) === npm) return
    clearInterval(look)
    process.kill(process.pid, 'SIGTERM')
  }, LOOK_MS)
  look.unref()
}
