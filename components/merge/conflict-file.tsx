'use client';

import { useMemo, useState } from 'react';
import { ProjectPicture } from '@/components/marks/stored-picture';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Textarea } from '@/components/ui/input';
import type { FolderFile } from '@/lib/cards/folder';
import { fileFacts, isPicture } from '@/lib/editor/file-words';
import { withSameEnds } from '@/lib/editor/line-ends';
import { type Chunk, hasClashMarks, markedText, mergeLines } from '@/lib/editor/merge-lines';
import { ConflictColumns } from './conflict-columns';
import type { SideWords } from './side-words';

/** What a person wants to keep of one file. An edited text stays while another choice is looked at. */
export interface FileAnswer {
  readonly keep: 'mine' | 'theirs' | 'edited';
  readonly edited: string | undefined;
}

export interface ConflictVersions {
  readonly path: string;
  /** `undefined` if there was no such file, or if it is not known. */
  readonly base: FolderFile | undefined;
  /** `undefined` if there is no such file on that side. */
  readonly mine: FolderFile | undefined;
  readonly theirs: FolderFile | undefined;
}

interface ConflictFileProps extends ConflictVersions {
  /** The id of the project, whose pictures are shown. */
  readonly project: string;
  readonly words: SideWords;
  readonly answer: FileAnswer;
  readonly isOpen: boolean;
  readonly onAnswer: (answer: FileAnswer) => void;
}

export function ConflictFile(props: ConflictFileProps) {
  const { path, base, mine, theirs, answer, words } = props;
  const [isOpen, setOpen] = useState(props.isOpen);
  const isText = [base, mine, theirs].every((file) => file === undefined || file.kind === 'text');
  const chunks = useMemo(
    () => mergeLines(...withSameEnds(textOf(base), textOf(mine), textOf(theirs))),
    [base, mine, theirs],
  );
  const isKnown = mine?.kind !== 'stored' && theirs?.kind !== 'stored';
  return (
    <section aria-label={`Differences in ${path}`} className="overflow-hidden rounded border">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b bg-ground px-2 py-1.5">
        <h3 className="min-w-0 flex-1 break-all font-mono text-xs">{path}</h3>
        <Button size="sm" variant="ghost" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide differences' : 'Show differences'}
        </Button>
        <Choices {...props} mayEdit={isKnown} chunks={chunks} />
      </div>
      {answer.keep === 'edited' && answer.edited !== undefined ? (
        <MergedText
          path={path}
          text={answer.edited}
          onChange={(edited) => props.onAnswer({ keep: 'edited', edited })}
        />
      ) : null}
      {!isOpen ? null : isKnown ? (
        <ConflictColumns
          chunks={chunks}
          isBaseKnown={isText}
          words={words}
          heads={{
            mine: <Head title={words.mine} file={mine} />,
            base: <Head title="As it was" file={base} missing="No such file" />,
            theirs: <Head title={words.theirs} file={theirs} />,
          }}
        />
      ) : (
        <TwoFiles {...props} />
      )}
    </section>
  );
}

/** Names a version and offers its whole text, so that nothing that is not kept has to be typed again. */
function Head(props: { readonly title: string; readonly file: FolderFile | undefined; readonly missing?: string }) {
  const { title, file, missing = 'Deleted' } = props;
  return (
    <span className="flex items-center gap-1.5">
      <span className="font-medium text-ink">{title}</span>
      {file === undefined ? <span className="text-muted">{missing}</span> : null}
      {file?.kind === 'text' ? <CopyButton text={file.text} label={`Copy ${title.toLowerCase()}`} /> : null}
    </span>
  );
}

function Choices({
  path,
  mine,
  theirs,
  answer,
  onAnswer,
  mayEdit,
  chunks,
  words,
}: ConflictFileProps & { readonly mayEdit: boolean; readonly chunks: readonly Chunk[] }) {
  const options: readonly (readonly [keep: FileAnswer['keep'], label: string])[] = [
    ['mine', mine === undefined ? `${words.mine} (deleted)` : words.mine],
    ['theirs', theirs === undefined ? `${words.theirs} (deleted)` : words.theirs],
    ...(mayEdit ? ([['edited', 'Edit merged']] as const) : []),
  ];
  const choose = (keep: FileAnswer['keep']) =>
    onAnswer({ keep, edited: keep === 'edited' ? (answer.edited ?? markedText(chunks, words.marks)) : answer.edited });
  return (
    <fieldset className="flex overflow-hidden rounded border border-line-strong">
      <legend className="sr-only">Keep of {path}</legend>
      {options.map(([keep, label]) => (
        <label
          key={keep}
          className="relative cursor-pointer px-2.5 py-1 text-muted text-xs hover:bg-hover has-checked:bg-accent has-checked:font-medium has-checked:text-accent-ink has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:-outline-offset-2"
        >
          <input
            type="radio"
            className="absolute inset-0 cursor-pointer opacity-0"
            name={`keep ${path}`}
            checked={answer.keep === keep}
            onChange={() => choose(keep)}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}

function MergedText(props: {
  readonly path: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
}) {
  return (
    <div className="flex flex-col gap-1 border-b p-2">
      <Textarea
        aria-label={`Merged text of ${props.path}`}
        spellCheck={false}
        rows={14}
        className="font-mono text-xs leading-5"
        value={props.text}
        onChange={(event) => props.onChange(event.currentTarget.value)}
      />
      <p role="status" className="text-muted text-xs">
        {hasClashMarks(props.text)
          ? 'Between the lines <<<<<<< and >>>>>>> are both versions of a part. Keep what you want and remove the marks.'
          : 'No marks are left. This text can be saved.'}
      </p>
    </div>
  );
}

function textOf(file: FolderFile | undefined): string {
  return file?.kind === 'text' ? file.text : '';
}

/** Shows both versions of a file that is not text beside each other. */
function TwoFiles(props: ConflictFileProps) {
  const sides = [
    [props.words.mine, props.mine],
    [props.words.theirs, props.theirs],
  ] as const;
  return (
    <dl className="grid grid-cols-2 gap-3 p-2 text-xs">
      {sides.map(([side, file]) => (
        <div key={side} className="flex min-w-0 flex-col gap-1.5">
          <dt className="font-medium text-ink">{side}</dt>
          <dd className="text-muted">
            {file === undefined ? 'Deleted' : file.kind === 'stored' ? fileFacts(props.path, file) : 'Text'}
          </dd>
          {file?.kind === 'stored' && isPicture(props.path) ? (
            <dd className="flex h-32 items-start">
              <ProjectPicture project={props.project} path={`${props.path} (${side.toLowerCase()})`} file={file} />
            </dd>
          ) : null}
        </div>
      ))}
    </dl>
  );
}
