'use client';

import { Copy, Download } from 'lucide-react';
import { StoredPicture } from '@/components/marks/stored-picture';
import { Button } from '@/components/ui/button';
import { saveBlob } from '@/components/ui/save-blob';
import { showToast } from '@/components/ui/toast';
import type { FolderFile } from '@/lib/cards/folder';
import { fileFacts, isPicture } from '@/lib/editor/file-words';

/** So many characters of a text are shown. The download and the copy have all of it. */
const mostShown = 50_000;

/** Shows a text before it is downloaded, with buttons that copy it and download it alone. */
export function TextPreview(props: { readonly name: string; readonly text: string }) {
  const { name, text } = props;
  return (
    <section aria-label={`Preview of ${name}`} className="flex min-h-0 min-w-0 flex-1 flex-col rounded border">
      <div className="flex items-center gap-2 border-b bg-ground py-1 pr-1 pl-2">
        <h3 className="min-w-0 flex-1 truncate font-mono text-xs" title={name}>
          {name}
        </h3>
        <Button size="sm" variant="ghost" icon={<Copy aria-hidden className="size-3.5" />} onClick={() => copy(text)}>
          Copy
        </Button>
        <Button
          size="sm"
          variant="ghost"
          icon={<Download aria-hidden className="size-3.5" />}
          onClick={() => download(name, text)}
        >
          Download
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard */}
      <pre tabIndex={0} className="min-h-0 flex-1 overflow-auto p-2 font-mono text-xs leading-5">
        {text.slice(0, mostShown)}
        {text.length > mostShown ? `\n… the first ${mostShown} of ${text.length} characters` : ''}
      </pre>
    </section>
  );
}

/** Lists the files of an export; the chosen one is shown beside the list. */
export function FolderPreview(props: {
  readonly folder: ReadonlyMap<string, FolderFile>;
  readonly chosen: string | undefined;
  readonly onChoose: (path: string) => void;
  /** Files that the export changed or added. */
  readonly changed?: ReadonlySet<string>;
}) {
  const { folder, chosen, changed } = props;
  const paths = [...folder.keys()].sort();
  const path = chosen !== undefined && folder.has(chosen) ? chosen : paths[0];
  const file = path === undefined ? undefined : folder.get(path);
  return (
    <div className="flex h-80 min-h-0 flex-col gap-2 sm:flex-row">
      <ul
        aria-label="Files of the export"
        className="max-h-28 shrink-0 overflow-auto rounded border sm:max-h-none sm:w-60"
      >
        {paths.map((one) => (
          <li key={one}>
            <button
              type="button"
              aria-pressed={one === path}
              className="flex w-full cursor-pointer items-center gap-1 px-2 py-1 text-left font-mono text-xs hover:bg-hover focus-visible:-outline-offset-2 aria-pressed:bg-accent-soft aria-pressed:text-accent"
              onClick={() => props.onChoose(one)}
            >
              <span className="min-w-0 flex-1 truncate" title={one}>
                {one}
              </span>
              {changed?.has(one) ? <span className="shrink-0 font-sans text-2xs text-accent">changed</span> : null}
            </button>
          </li>
        ))}
      </ul>
      {path === undefined ? (
        <p className="text-muted text-sm">The project has no files.</p>
      ) : file?.kind === 'text' ? (
        <TextPreview name={path} text={file.text} />
      ) : (
        <BinaryPreview path={path} file={file} />
      )}
    </div>
  );
}

function BinaryPreview({ path, file }: { readonly path: string; readonly file: FolderFile | undefined }) {
  if (file?.kind !== 'stored') return null;
  return (
    <section
      aria-label={`Preview of ${path}`}
      className="flex min-h-0 min-w-0 flex-1 flex-col gap-2 rounded border p-2"
    >
      <p className="text-muted text-sm">{fileFacts(path, file)}. The zip has it as it is.</p>
      {isPicture(path) ? (
        <div className="flex min-h-0 flex-1 items-center justify-center">
          <StoredPicture path={path} file={file} />
        </div>
      ) : null}
    </section>
  );
}

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showToast({ text: 'Copied.', tone: 'ok' });
  } catch {
    showToast({ text: 'The browser did not allow the copy. Download the file instead.', tone: 'bad' });
  }
}

function download(path: string, text: string): void {
  saveBlob(new Blob([text], { type: 'text/plain;charset=utf-8' }), path.slice(path.lastIndexOf('/') + 1));
}
