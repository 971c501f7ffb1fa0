'use client';

import { X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useActions } from '@/components/editor-state/project-context';
import { Button } from '@/components/ui/button';
import type { NarrowPanel } from '@/lib/editor/project-state';
import { useTourSeen } from './tour-offer';

interface TourStep {
  readonly title: string;
  readonly text: string;
  /** The part of the page that the step is about. */
  readonly target: string;
  /** The panel that shows it on a narrow screen. */
  readonly panel: NarrowPanel;
}

const steps: readonly TourStep[] = [
  {
    title: 'The graph is your folder',
    text: 'Each box is an agent, a server or a function in a file. Drag from the dot of a box to another box to connect them. Delete, undo and text always agree.',
    target: '[aria-label="Graph"]',
    panel: 'canvas',
  },
  {
    title: 'Add what you need',
    text: 'The outline lists everything. Press N to add an agent or anything else, or drag it from the palette onto the canvas.',
    target: 'section[aria-label="Outline"]',
    panel: 'outline',
  },
  {
    title: 'Fill in forms, or write text',
    text: 'Select a box to see its form here. The tab Card shows the same as text; both edit the same file.',
    target: 'section[aria-label="Inspector"]',
    panel: 'inspector',
  },
  {
    title: 'Run it',
    text: 'Write a message and press Run. Bars show what each agent does. Problems lists what is wrong and takes you there.',
    target: 'section[aria-label="Dock"]',
    panel: 'dock',
  },
  {
    title: 'Everything has a key',
    text: 'Ctrl+K finds commands, agents, files and runs. Ctrl+F finds text in the project. Edits are saved by themselves, and undo survives a reload.',
    target: 'header',
    panel: 'canvas',
  },
];

/** Shows one step after the other beside the page, which stays usable. Escape leaves the tour at any step. */
export function Tour(props: { readonly onClose: () => void }) {
  const { onClose } = props;
  const [at, setAt] = useState(0);
  const actions = useActions();
  const [, setSeen] = useTourSeen();
  const card = useRef<HTMLElement>(null);
  const step = steps[at];
  useEffect(() => setSeen('taken'), [setSeen]);
  useEffect(() => {
    const opener = document.activeElement;
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new step takes the focus, so that it is read aloud
  useEffect(() => card.current?.focus(), [at]);
  useEffect(() => {
    if (step !== undefined) actions.show({ narrowPanel: step.panel });
  }, [actions, step]);
  if (step === undefined) return null;
  const isLast = at === steps.length - 1;
  return (
    <>
      <Frame target={step.target} />
      <section
        ref={card}
        role="dialog"
        data-takes-focus
        aria-label={`Tour, step ${at + 1} of ${steps.length}: ${step.title}`}
        aria-describedby="tour-text"
        tabIndex={-1}
        className="fixed right-3 bottom-16 left-3 z-40 rounded-xl border bg-raised p-4 shadow-pop outline-none sm:right-auto sm:bottom-6 sm:left-24 sm:w-96"
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
        }}
      >
        <div className="flex items-start gap-2">
          <h2 className="min-w-0 flex-1 font-semibold text-base text-ink">{step.title}</h2>
          <button
            type="button"
            aria-label="Leave the tour"
            className="cursor-pointer rounded p-1 text-muted hover:bg-hover hover:text-ink"
            onClick={onClose}
          >
            <X aria-hidden className="size-4" />
          </button>
        </div>
        <p id="tour-text" className="mt-1 text-muted text-sm">
          {step.text}
        </p>
        <div className="mt-3 flex items-center gap-2">
          <span className="flex-1 text-muted text-xs tabular">
            {at + 1} of {steps.length}
          </span>
          {at > 0 ? (
            <Button size="sm" onClick={() => setAt(at - 1)}>
              Back
            </Button>
          ) : null}
          <Button size="sm" variant="primary" onClick={() => (isLast ? onClose() : setAt(at + 1))}>
            {isLast ? 'Done' : 'Next'}
          </Button>
        </div>
      </section>
    </>
  );
}

/** Draws a frame around a part of the page. It takes no clicks. */
function Frame({ target }: { readonly target: string }) {
  const [box, setBox] = useState<DOMRect>();
  useEffect(() => {
    const measure = () => setBox(document.querySelector(target)?.getBoundingClientRect());
    measure();
    // The panel of a narrow screen is shown a moment later, and panels are resized.
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    const element = document.querySelector(target);
    if (element !== null) observer.observe(element);
    window.addEventListener('resize', measure);
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', measure);
    };
  }, [target]);
  if (box === undefined || box.width === 0) return null;
  return (
    <div
      aria-hidden
      className="pointer-events-none fixed z-30 rounded-md border-2 border-accent"
      style={{ left: box.left, top: box.top, width: box.width, height: box.height }}
    />
  );
}
