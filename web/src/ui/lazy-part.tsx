import { type ComponentType, useEffect, useState } from 'react'
import { useTexts } from '../texts/texts.ts'
import { lazyModule } from './lazy-module.ts'
import { Notice } from './notice.tsx'

/**
 * A part of the page that is loaded when it first shows. If the download fails, it says so and tries again the next
 * time.
 */
export function lazyPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  /** Shown until the part is there. */
  Meanwhile?: ComponentType<P>,
): ComponentType<P> {
  let loaded: ComponentType<P> | undefined
  const loadOnce = async () => (loaded ??= await load())
  lazyModule(loadOnce)
  return function LazyPart(props: P) {
    const t = useTexts()
    const [state, setState] = useState(loaded ? 'loaded' : 'loading')
    useEffect(() => {
      let isShown = true
      const show = (next: string) => isShown && setState(next)
      loadOnce().then(
        () => show('loaded'),
        () => show('failed'),
      )
      return () => {
        isShown = false
      }
    }, [])
    const Part = loaded
    if (Part) return <Part {...props} />
    return (
      <>
        {Meanwhile && <Meanwhile {...props} />}
        {state === 'failed' && (
          <div className="fixed inset-x-3 top-3 z-50 mx-auto max-w-lg">
            <Notice text={t('failure.part')} />
          </div>
        )}
      </>
    )
  }
}
