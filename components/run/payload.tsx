'use client';

import { CodeXml, Download } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button, buttonClass } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { CopyButton } from '@/components/ui/copy-button';
import { IconButton } from '@/components/ui/icon-button';
import { later } from '@/components/ui/later';
import { VisibleText } from '@/components/ui/visible-text';
import type { Json } from '@/lib/base/json';
import type { PartPages } from '@/lib/client/run-source';
import { payloadText } from '@/lib/trace/payload-text';
import { pageOf, pageUnits } from '@/lib/trace/text-pages';
import { LinkedText, useDrawLinks } from './file-links';

/** Most texts have no Markdown, and the code that reads it is large. */
const MarkdownBox = later(
  async () => (await import('./markdown-box')).MarkdownBox,
  ({ plain }) => plain,
);

export interface PayloadProps {
  readonly title: string;
  /** The text to show. JSON is formatted. */
  readonly value: Json;
  /** Loads the rest when `value` is cut. */
  readonly pages?: PartPages | undefined;
  readonly tone?: 'bad';
  /** `prose` is for text that people and models write to each other: an answer, a message. Its Markdown is drawn. */
  readonly look?: 'prose' | undefined;
  /** Shows a few lines, which scroll, so that what follows is in view too. */
  readonly isShort?: boolean;
}

/** A text longer than this, in UTF-16 units, is not copied, because the browser would hold it several times. */
const mostCopied = 4_000_000;

/** Shows an input or output, formatted and one page at a time. The whole text can be copied, or downloaded as a file. */
export function Payload({ title, value, pages, tone, look, isShort = false }: PayloadProps) {
  const text = payloadText(value);
  const [from, setFrom] = useState(0);
  const page = usePage(text, pages, from);
  const total = pages?.total ?? text.length;
  const [asWritten, setAsWritten] = useState(false);
  const drawLinks = useDrawLinks();
  const isMarkdown = look === 'prose' && total <= pageUnits && text === value && mayBeMarkdown(text);
  const plain = <PlainText {...{ page, look, tone, isShort }} />;
  return (
    <div className="min-w-0">
      <div className="flex h-7 items-center justify-between gap-2">
        <h3 className="min-w-0 truncate font-medium text-2xs text-muted">
          <VisibleText text={title} />
        </h3>
        <div className="flex items-center gap-1">
          {isMarkdown && (
            <IconButton
              size="sm"
              label={`${title} as written`}
              pressed={asWritten}
              icon={<CodeXml aria-hidden />}
              onClick={() => setAsWritten(!asWritten)}
            />
          )}
          {total > 0 && total <= mostCopied && (
            <CopyButton text={pages === undefined ? text : pages.loadWhole} label={`Copy ${title.toLowerCase()}`} />
          )}
          {pages !== undefined && (
            <a href={pages.href} download className={buttonClass('ghost', 'sm')}>
              <Download aria-hidden className="size-3.5" />
              Download
            </a>
          )}
        </div>
      </div>
      {total === 0 ? (
        <p className="text-faint text-xs">Empty</p>
      ) : isMarkdown && !asWritten ? (
        <MarkdownBox {...{ title, text, drawLinks, plain }} className={heightOf(isShort)} />
      ) : (
        plain
      )}
      {page.error !== undefined && (
        <p role="alert" className="mt-1 text-bad text-xs">
          {page.error}
        </p>
      )}
      {total > pageUnits && <Pager {...{ title, page, total }} onPage={setFrom} />}
    </div>
  );
}

/** True if a text has marks of Markdown. Others are shown as they are, without the code that draws them. */
function mayBeMarkdown(text: string): boolean {
  return /[*_`~[|]|^\s*(?:[#>+-]|\d+[.)])\s|https?:/m.test(text);
}

function heightOf(isShort: boolean): string {
  return isShort ? 'max-h-24' : 'max-h-96';
}

function PlainText(props: Pick<PayloadProps, 'look' | 'tone'> & { readonly page: Shown; readonly isShort: boolean }) {
  const { page, look, tone, isShort } = props;
  return (
    <pre
      key={page.offset}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
      tabIndex={0}
      aria-busy={page.isLoading}
      className={classNames(
        'overflow-auto whitespace-pre-wrap break-words rounded border px-3 py-2',
        heightOf(isShort),
        look === 'prose' ? 'bg-surface font-sans text-sm' : 'bg-sunken font-mono text-xs',
        tone === 'bad' ? 'border-bad text-bad' : 'text-ink',
      )}
    >
      <LinkedText text={page.text} use={look === 'prose' ? 'prose' : 'exact'} />
    </pre>
  );
}

interface Shown {
  readonly text: string;
  readonly offset: number;
  readonly isLoading: boolean;
  readonly error: string | undefined;
}

function Pager(props: {
  readonly title: string;
  readonly page: Shown;
  readonly total: number;
  readonly onPage: (offset: number) => void;
}) {
  const { title, page, total, onPage } = props;
  const end = page.offset + page.text.length;
  const what = title.toLowerCase();
  return (
    <nav
      aria-label={`Pages of ${what}`}
      className="mt-1 flex flex-wrap items-center gap-2 text-muted text-xs tabular-nums"
    >
      <span aria-live="polite">
        {count(page.offset + 1)} to {count(end)} of {count(total)} characters
      </span>
      <Button
        size="sm"
        disabled={page.offset === 0 || page.isLoading}
        onClick={() => onPage(Math.max(0, page.offset - pageUnits))}
      >
        Previous
      </Button>
      <Button size="sm" disabled={end >= total || page.isLoading} onClick={() => onPage(end)}>
        Next
      </Button>
    </nav>
  );
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}

/** Loads the page that begins at `from`. The page before stays visible until then. */
function usePage(text: string, pages: PartPages | undefined, from: number): Shown {
  const [loaded, setLoaded] = useState<{ readonly text: string; readonly offset: number }>();
  const [failed, setFailed] = useState<{ readonly from: number; readonly error: string }>();
  // The first page is loaded too, because the text here may be cut where formatted JSON would not end.
  const [asked, setAsked] = useState(pages === undefined ? 0 : -1);
  const isNeeded = pages !== undefined && asked !== from;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `pages` is the same part as long as its address is
  useEffect(() => {
    if (!isNeeded || pages === undefined) return;
    let isCurrent = true;
    pages
      .load(from)
      .then((page) => {
        if (!isCurrent) return;
        setLoaded(page);
        setAsked(from);
        setFailed(undefined);
      })
      .catch((error: unknown) => {
        if (isCurrent) setFailed({ from, error: error instanceof Error ? error.message : 'It could not be loaded.' });
      });
    return () => {
      isCurrent = false;
    };
  }, [isNeeded, from, pages?.href]);
  const error = failed?.from === from ? failed.error : undefined;
  if (pages === undefined) return { ...pageOf(text, from), isLoading: false, error: undefined };
  const page = loaded ?? pageOf(text, 0);
  return { text: page.text, offset: page.offset, isLoading: isNeeded && error === undefined, error };
}
