'use client';

import { Bot, CornerDownRight, FileText, LoaderCircle, MessageSquare, User } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { VisibleText } from '@/components/ui/visible-text';
import { type CallEntry, type CallPage, entryPages, loadCallPage } from '@/lib/client/model-calls';
import { formatCount } from '@/lib/trace/wording';
import type { ModelCallProps } from './detail-props';
import { ModelCallJson } from './model-call-json';
import { Payload } from './payload';

type Loaded = { readonly page: CallPage } | { readonly error: string } | undefined;

/** Shows what a model was asked and what it answered, as a conversation or as JSON. Long texts are paged. */
export function ModelCall(props: ModelCallProps) {
  const [asJson, setAsJson] = useState(false);
  return (
    <section aria-label="Request and answer" className="flex min-w-0 flex-col gap-2">
      <fieldset aria-label="Show as" className="flex gap-1">
        <Choice label="Conversation" chosen={!asJson} onChoose={() => setAsJson(false)} />
        <Choice label="JSON" chosen={asJson} onChoose={() => setAsJson(true)} />
      </fieldset>
      {asJson ? <ModelCallJson {...props} /> : <Conversation {...props} />}
    </section>
  );
}

function Choice(props: { readonly label: string; readonly chosen: boolean; readonly onChoose: () => void }) {
  const { label, chosen, onChoose } = props;
  return (
    <button
      type="button"
      aria-pressed={chosen}
      onClick={onChoose}
      className={classNames(
        'h-7 cursor-pointer rounded border px-2 text-xs',
        chosen ? 'border-accent bg-accent-soft font-medium text-ink' : 'text-muted hover:text-ink',
      )}
    >
      {label}
    </button>
  );
}

function Conversation(call: ModelCallProps) {
  const { runId, seq, withAnswer } = call;
  const [from, setFrom] = useState<number | undefined>(undefined);
  const loaded = useCallPage(call, from);
  if (loaded === undefined) {
    return (
      <p role="status" className="flex items-center gap-2 text-muted text-xs">
        <LoaderCircle aria-hidden className="size-3.5 animate-spin" />
        Loading the request
      </p>
    );
  }
  if ('error' in loaded) return <p className="text-muted text-xs">{loaded.error}</p>;
  const { page } = loaded;
  const end = page.from + page.entries.length;
  const size = Math.max(page.entries.length, 1);
  return (
    <>
      <RequestFacts page={page} />
      {page.count > page.entries.length && (
        <nav
          aria-label="Pages of messages"
          className="flex flex-wrap items-center gap-2 text-muted text-xs tabular-nums"
        >
          <span aria-live="polite">
            Messages {formatCount(page.from + 1)} to {formatCount(end)} of {formatCount(page.count)}
          </span>
          <Button size="sm" disabled={page.from === 0} onClick={() => setFrom(Math.max(0, page.from - size))}>
            Earlier
          </Button>
          <Button size="sm" disabled={end >= page.count} onClick={() => setFrom(end)}>
            Later
          </Button>
        </nav>
      )}
      <ol className="flex min-w-0 flex-col gap-2">
        {page.entries.map((entry, place) => {
          const index = page.from + place;
          return (
            <li key={index}>
              {isFirstNew(page, place) && <NewMark />}
              <Entry entry={entry} pages={entryPages({ runId, seq, withAnswer }, index, entry)} />
            </li>
          );
        })}
      </ol>
    </>
  );
}

/** True at the first new message after messages that the call before had too. */
function isFirstNew({ entries }: CallPage, place: number): boolean {
  return entries[place]?.isNew === true && entries[place - 1]?.isNew === false;
}

function NewMark() {
  return (
    <p className="mb-2 flex items-center gap-2 text-2xs text-accent before:h-px before:flex-1 before:bg-accent after:h-px after:flex-1 after:bg-accent">
      New since the call before
    </p>
  );
}

const looks: Record<CallEntry['role'], { readonly edge: string; readonly icon: ReactNode }> = {
  system: { edge: 'border-l-line', icon: <FileText aria-hidden /> },
  user: { edge: 'border-l-accent', icon: <User aria-hidden /> },
  assistant: { edge: 'border-l-model', icon: <Bot aria-hidden /> },
  tool: { edge: 'border-l-line-strong', icon: <CornerDownRight aria-hidden /> },
  answer: { edge: 'border-l-model', icon: <MessageSquare aria-hidden /> },
};

function Entry({ entry, pages }: { readonly entry: CallEntry; readonly pages: ReturnType<typeof entryPages> }) {
  const { edge, icon } = looks[entry.role];
  const title = entry.role === 'answer' && !entry.isError ? `Answer: ${entry.title}` : entry.title;
  return (
    <div className={classNames('flex min-w-0 gap-2 border-l-2 pl-2', entry.isError ? 'border-l-bad' : edge)}>
      <span className="mt-1.5 shrink-0 text-muted [&>svg]:size-3.5">{icon}</span>
      <div className="min-w-0 flex-1">
        <Payload title={title} value={entry.text} pages={pages} {...(entry.isError && { tone: 'bad' as const })} />
      </div>
    </div>
  );
}

/** Shows tools, parameters and the form of the answer, each closed at first. */
function RequestFacts({ page }: { readonly page: CallPage }) {
  const { tools, params, format } = page;
  return (
    <div className="flex flex-col gap-1">
      {tools.length > 0 && (
        <Fold title={tools.length === 1 ? '1 tool' : `${formatCount(tools.length)} tools`}>
          {tools.map((tool) => (
            <Fold key={tool.name} title={tool.name}>
              <p className="whitespace-pre-wrap break-words text-muted text-xs">
                {tool.description === '' ? 'No description.' : tool.description}
              </p>
              <Payload title="Schema of its arguments" value={tool.inputSchema} />
            </Fold>
          ))}
        </Fold>
      )}
      {Object.keys(params).length > 0 && (
        <Fold title="Parameters">
          <Payload title="Parameters" value={params} />
        </Fold>
      )}
      {format !== undefined && (
        <Fold title={`Form of the answer: ${format.name}`}>
          <Payload title="Schema of the answer" value={format.schema} />
        </Fold>
      )}
    </div>
  );
}

function Fold({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <details className="min-w-0">
      <summary className="cursor-pointer truncate text-ink text-xs">
        <VisibleText text={title} />
      </summary>
      <div className="ml-4 flex min-w-0 flex-col gap-1 py-1">{children}</div>
    </details>
  );
}

function useCallPage({ runId, seq, endSeq, withAnswer }: ModelCallProps, from: number | undefined): Loaded {
  const [loaded, setLoaded] = useState<Loaded>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a call that ends is loaded again
  useEffect(() => {
    const stop = new AbortController();
    loadCallPage({ runId, seq, withAnswer }, from, stop.signal).then(
      (page) => setLoaded({ page }),
      (error: unknown) => {
        if (!stop.signal.aborted) setLoaded({ error: error instanceof Error ? error.message : 'Try again later.' });
      },
    );
    return () => stop.abort();
  }, [runId, seq, endSeq, withAnswer, from]);
  return loaded;
}
