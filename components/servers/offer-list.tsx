'use client';

import { Search, X } from 'lucide-react';
import { useId, useState } from 'react';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { IconButton } from '@/components/ui/icon-button';
import { Input } from '@/components/ui/input';
import { globMatch } from '@/lib/base/fnmatch';
import type { FilterKind } from '@/lib/cards/edit/server-filter';
import { isWildcard, patternOf } from '@/lib/cards/filter-patterns';
import { type OfferRow, offerRows, searchedRows, withTick } from '@/lib/editor/offer-rows';
import type { Drift, Offered } from '@/lib/editor/server-listing';
import { Tick } from './tick';

export interface OfferListProps {
  readonly kind: FilterKind;
  readonly server: string;
  /** What the server listed; `undefined` if it was never tested. */
  readonly offered: readonly Offered[] | undefined;
  /** The filter of the card; `undefined` offers everything. */
  readonly patterns: readonly string[] | undefined;
  readonly drift: Drift | undefined;
  readonly onChange: (patterns: readonly string[] | undefined) => void;
  /** Opens the tool bench for a tool that is taken. */
  readonly onTry?: ((name: string) => void) | undefined;
}

/** More rows than this are found by searching. */
const mostRows = 200;
/** Shorter lists need no search field. */
const searchFrom = 6;

/**
 * The tools, resources or prompts of a server as a list of checkboxes, which writes the filter of a card. While everything is
 * offered there is no filter. Ticks write names; wildcards that are in the card are shown as they are.
 */
export function OfferList({ kind, server, offered, patterns, drift, onChange, onTry }: OfferListProps) {
  const [typed, setTyped] = useState('');
  const rows = offerRows(offered, patterns, drift);
  const found = searchedRows(rows, typed);
  const ticked = rows.filter((row) => row.ticked).length;
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <Everything kind={kind} server={server} rows={rows} patterns={patterns} onChange={onChange} />
      {patterns === undefined ? null : <Wildcards {...{ patterns, offered, onChange }} />}
      {rows.length >= searchFrom ? (
        <div className="flex items-center gap-1.5">
          <SearchField kind={kind} typed={typed} onTyped={setTyped} />
          <Button
            size="sm"
            variant="ghost"
            disabled={patterns?.length === 0}
            aria-label={`Take none of the ${kind}`}
            onClick={() => onChange([])}
          >
            None
          </Button>
        </div>
      ) : null}
      {rows.length === 0 ? null : (
        <ul aria-label={`The ${kind} of ${server}`} className="divide-y rounded border bg-surface">
          {found.slice(0, mostRows).map((row) => (
            <Row
              key={row.name}
              row={row}
              onTick={(on) => onChange(withTick(rows, patterns, row.name, on))}
              onTry={onTry}
            />
          ))}
        </ul>
      )}
      <p role="status" className="text-faint text-xs">
        {rows.length === 0 ? '' : `${ticked} of ${rows.length} taken`}
        {typed.trim() === '' ? '' : `, ${found.length} found`}
        {found.length > mostRows ? `. The first ${mostRows} are shown; search to see others.` : ''}
      </p>
    </div>
  );
}

/** Says whether there is a filter. Without one the agent also gets what the server offers in the future. */
function Everything(
  props: Pick<OfferListProps, 'kind' | 'server' | 'patterns' | 'onChange'> & { readonly rows: readonly OfferRow[] },
) {
  const { kind, server, rows, patterns, onChange } = props;
  const id = useId();
  return (
    <div className="flex items-start gap-2">
      <Tick
        id={id}
        describedBy={`${id}-note`}
        checked={patterns === undefined}
        onChange={(on) => onChange(on ? undefined : rows.map((row) => patternOf(row.name)))}
      />
      <span className="min-w-0">
        <label htmlFor={id} className="cursor-pointer text-ink text-sm">
          All {kind}
        </label>
        <span id={`${id}-note`} className="block text-faint text-xs">
          {patterns === undefined
            ? `The card has no filter: it also gets ${kind} that ${server} adds later.`
            : `Only what is ticked. New ${kind} of ${server} are not taken.`}
        </span>
      </span>
    </div>
  );
}

/** The wildcards of the filter, with the number of names that each one matches. */
function Wildcards(props: {
  readonly patterns: readonly string[];
  readonly offered: readonly Offered[] | undefined;
  readonly onChange: (patterns: readonly string[]) => void;
}) {
  const { patterns, offered, onChange } = props;
  const wild = patterns.filter(isWildcard);
  if (wild.length === 0) return null;
  return (
    <ul aria-label="Patterns" className="flex flex-wrap gap-1">
      {wild.map((pattern) => (
        <li key={pattern} className="inline-flex max-w-full items-center gap-1 rounded-sm bg-hover pl-1.5 text-xs">
          <code className="truncate font-mono text-ink">{pattern}</code>
          {offered === undefined ? null : (
            <span className="text-faint tabular">
              matches {offered.filter(({ name }) => globMatch(pattern, name)).length}
            </span>
          )}
          <IconButton
            size="sm"
            label={`Remove the pattern ${pattern}`}
            icon={<X aria-hidden />}
            onClick={() => onChange(patterns.filter((one) => one !== pattern))}
          />
        </li>
      ))}
    </ul>
  );
}

function SearchField(props: {
  readonly kind: string;
  readonly typed: string;
  readonly onTyped: (text: string) => void;
}) {
  return (
    <span className="relative min-w-0 flex-1">
      <Search aria-hidden className="pointer-events-none absolute top-1.5 left-2 size-4 text-faint" />
      <Input
        aria-label={`Search the ${props.kind}`}
        placeholder={`Search ${props.kind}`}
        className="!h-7 !pl-8 !text-xs"
        value={props.typed}
        onChange={(event) => props.onTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || props.typed === '') return;
          event.stopPropagation();
          props.onTyped('');
        }}
      />
    </span>
  );
}

const stateTones = { new: 'busy', gone: 'bad', changed: 'warn' } as const;

function Row(props: {
  readonly row: OfferRow;
  readonly onTick: (on: boolean) => void;
  readonly onTry: OfferListProps['onTry'];
}) {
  const { row, onTick, onTry } = props;
  const { name, title, description, schema, ticked, by, state } = row;
  const id = useId();
  // What is gone and not named in the card cannot be taken.
  const fixed = by !== undefined || (state === 'gone' && !ticked);
  return (
    <li className="flex min-w-0 items-start gap-2 px-2 py-1.5">
      <Tick id={id} checked={ticked} disabled={fixed} describedBy={`${id}-note`} onChange={onTick} />
      <span className="min-w-0 flex-1">
        <span className="flex min-w-0 items-center gap-1.5">
          <label htmlFor={id} className="min-w-0 cursor-pointer truncate font-mono text-ink text-xs" title={name}>
            {name}
          </label>
          {state === undefined ? null : <Badge tone={stateTones[state]}>{state}</Badge>}
          {onTry === undefined || !ticked || state === 'gone' ? null : (
            <Button size="sm" className="ml-auto shrink-0" aria-label={`Try ${name}…`} onClick={() => onTry(name)}>
              Try…
            </Button>
          )}
        </span>
        <span id={`${id}-note`} className="block text-xs">
          {title === undefined || title === name ? null : <span className="block truncate text-ink">{title}</span>}
          {description === undefined || description === '' ? null : (
            <span className="line-clamp-2 text-muted" title={description}>
              {description}
            </span>
          )}
          {state === 'gone' ? <span className="text-bad">The server does not list it.</span> : null}
          {by === undefined ? null : (
            <span className="block text-faint">
              taken by <code className="font-mono">{by}</code>
            </span>
          )}
        </span>
        {schema === undefined ? null : (
          <details className="text-xs">
            <summary className="w-fit cursor-pointer text-muted hover:text-ink">Arguments</summary>
            <pre
              // biome-ignore lint/a11y/noNoninteractiveTabindex: a long schema is scrolled by keyboard
              tabIndex={0}
              className="mt-1 max-h-60 overflow-auto rounded border bg-sunken p-2 font-mono text-2xs leading-4"
            >
              {JSON.stringify(schema, undefined, 2)}
            </pre>
          </details>
        )}
      </span>
    </li>
  );
}
