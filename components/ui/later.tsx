'use client';

import { type ComponentType, lazy, type ReactNode, Suspense, useContext, useEffect, useState } from 'react';
import { LaterPress } from './later-press';
import { showToast } from './toast';
import { whenIdle } from './when-idle';

/** A part of a page whose code is loaded when it is first shown, or when `load` is called. */
export interface Later<Props extends object> {
  (props: Props): ReactNode;
  /** Loads the code before it is needed. Never throws: what could not be loaded is said when it is shown. */
  load(): void;
}

const loading = (
  <p role="status" className="p-3 text-muted text-sm">
    Loading
  </p>
);

/**
 * Makes a component whose code is loaded later. `meanwhile` stands in its place until then: a node, or what a function makes of the
 * props; `null` for what has no place of its own, such as a dialog. Code that cannot be loaded, because the network or this version
 * of Callboard is gone, does not take the rest of the page with it: the person is asked to reload, in its place if it has one.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  meanwhile: ReactNode | ((props: Props) => ReactNode) = loading,
): Later<Props> {
  const waiting = (props: Props) => (typeof meanwhile === 'function' ? meanwhile(props) : meanwhile);
  const hasPlace = typeof meanwhile !== 'function' && meanwhile !== null;
  const NotLoaded: ComponentType<Props> = hasPlace
    ? ShowNotLoaded
    : (props) => <SayNotLoaded>{waiting(props)}</SayNotLoaded>;
  let ready: ComponentType<Props> | undefined;
  const loaded = async () => {
    ready = await load();
    return ready;
  };
  function Part(props: Props) {
    // What is loaded is drawn at once, so that it gets the next key. What was not is tried again when it is opened again.
    const [Shown] = useState(() => ready ?? lazy(async () => ({ default: await loaded().catch(() => NotLoaded) })));
    return (
      <Suspense fallback={waiting(props)}>
        <Shown {...props} />
      </Suspense>
    );
  }
  // A failure is left to the next try: the network may be back by then.
  return Object.assign(Part, { load: () => void loaded().catch(() => undefined) });
}

/** Loads the code of these parts once the page has nothing else to do, so that nobody waits when they are opened. */
export function useLoadedWhenIdle(parts: readonly Pick<Later<never>, 'load'>[]): void {
  useEffect(() => {
    const work = () => {
      for (const part of parts) part.load();
    };
    return whenIdle(work, 1_000);
  }, [parts]);
}

/** Returns true from the first time that `is` is true: for a part that keeps its state while it is closed. */
export function useEver(is: boolean): boolean {
  const [was, setWas] = useState(is);
  if (is && !was) setWas(true);
  return was || is;
}

const why = 'This part of the page could not be loaded. Callboard may have been updated, or cannot be reached.';
const reload = { label: 'Reload the page', onClick: () => location.reload() };

function SayNotLoaded({ children }: { readonly children: ReactNode }) {
  const { onNotLoaded } = useContext(LaterPress);
  useEffect(() => {
    showToast({ tone: 'bad', text: why, action: reload });
    onNotLoaded();
  }, [onNotLoaded]);
  return children;
}

function ShowNotLoaded() {
  return (
    <p role="alert" className="p-3 text-bad text-sm">
      {why} <ReloadLink />
    </p>
  );
}

/** Reloads the page, within a sentence. */
export function ReloadLink() {
  return (
    <button type="button" className="cursor-pointer underline" onClick={reload.onClick}>
      {reload.label}
    </button>
  );
}
