import { type ReactNode, use, useState, useSyncExternalStore } from 'react';
import { FieldLocksContext } from './field-locks';

const never = () => () => undefined;

/**
 * The control of a field. While somebody else edits the field, it says so and cannot be reached, unless the person takes it. A field
 * that has the focus is never locked.
 */
export function HeldField({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const locks = use(FieldLocksContext);
  const holder = useSyncExternalStore(
    locks?.subscribe ?? never,
    () => locks?.holderOf(label),
    () => undefined,
  );
  const [hasFocus, setFocus] = useState(false);
  const isLocked = holder !== undefined && !hasFocus;
  if (locks === undefined) return children;
  return (
    <>
      {holder !== undefined && (
        <p role="status" className="flex items-center gap-2 text-busy text-xs">
          <span className="min-w-0 flex-1">{holder} is editing this.</span>
          <button
            type="button"
            aria-label={`Edit anyway: ${label}`}
            className="shrink-0 cursor-pointer underline underline-offset-2"
            onClick={() => locks.take(label)}
          >
            Edit anyway
          </button>
        </p>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only notes that a control inside it is typed into */}
      <div
        className={isLocked ? 'contents *:opacity-60' : 'contents'}
        inert={isLocked}
        onFocus={() => setFocus(true)}
        onInput={() => locks.enter(label)}
        onBlur={() => {
          setFocus(false);
          locks.leave(label);
        }}
      >
        {children}
      </div>
    </>
  );
}
