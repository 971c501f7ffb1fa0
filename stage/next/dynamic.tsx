import { type ComponentType, createElement, lazy, type ReactNode, Suspense } from 'react';

type Loaded<P> = ComponentType<P> | { readonly default: ComponentType<P> };

/** `next/dynamic` on the stage: the component is loaded when it is first shown. */
export default function dynamic<P extends object>(
  load: () => Promise<Loaded<P>>,
  { loading }: { readonly loading?: () => ReactNode; readonly ssr?: boolean } = {},
) {
  const Lazy = lazy(async () => {
    const loaded = await load();
    return 'default' in loaded ? loaded : { default: loaded };
  });
  return function Dynamic(props: P) {
    return <Suspense fallback={loading?.()}>{createElement(Lazy, props)}</Suspense>;
  };
}
