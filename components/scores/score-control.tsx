'use client';

import { MessageSquareText, ThumbsDown, ThumbsUp } from 'lucide-react';
import { useState } from 'react';
import { useAccess } from '@/components/access/access-context';
import { Button } from '@/components/ui/button';
import { IconButton } from '@/components/ui/icon-button';
import { later } from '@/components/ui/later';
import { afterThumb, formatScore, meanOf, type Score, scoresAbout, usualScoreName } from '@/lib/base/score';
import { type RunScores, useScores } from './scores-context';

const ScoreDialog = later(async () => (await import('./score-dialog')).ScoreDialog, null);

export interface ScoreControlProps {
  /** The event that opens a span. Without it, the whole run is scored. */
  readonly span?: number;
}

/** Two thumbs, and a button that opens scores and notes. Whoever may not score sees the latter alone, if there are any. */
export function ScoreControl({ span }: ScoreControlProps) {
  const scores = useScores();
  const mayScore = useAccess().rights.includes('edit');
  const about = scores === undefined ? [] : scoresAbout(scores.all, span);
  if (scores === undefined || (!mayScore && about.length === 0)) return null;
  return <Control key={span} {...{ scores, about, span, mayScore }} />;
}

interface ControlProps {
  readonly scores: RunScores;
  readonly about: readonly Score[];
  readonly span: number | undefined;
  readonly mayScore: boolean;
}

function Control({ scores, about, span, mayScore }: ControlProps) {
  const [isOpen, setOpen] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  const own = about.find(({ author, name }) => author === scores.me && name === usualScoreName);
  const onThumb = async (thumb: 0 | 1) => {
    if (isBusy) return;
    setBusy(true);
    const said = afterThumb(own, thumb);
    if (said !== undefined) setFault(await scores.give({ span, name: usualScoreName, ...said }));
    else if (own !== undefined) setFault(await scores.remove(own.id));
    setBusy(false);
  };
  // The header of a run has many buttons and one line.
  const isNarrow = span === undefined;
  const thumb = (value: 0 | 1) => ({
    size: isNarrow ? ('sm' as const) : ('md' as const),
    pressed: own?.value === value,
    'aria-disabled': isBusy || undefined,
    onClick: () => void onThumb(value),
  });
  return (
    <fieldset className="flex min-w-0 flex-wrap items-center gap-0.5">
      <legend className="sr-only">{span === undefined ? 'Score of the run' : 'Score of the selection'}</legend>
      {mayScore && (
        <>
          <IconButton {...thumb(1)} label="Good" icon={<ThumbsUp aria-hidden />} />
          <IconButton {...thumb(0)} label="Bad" icon={<ThumbsDown aria-hidden />} />
        </>
      )}
      <Button
        size="sm"
        variant="ghost"
        className={isNarrow ? 'px-1.5' : undefined}
        aria-haspopup="dialog"
        title={counted(about)}
        icon={<MessageSquareText aria-hidden className="size-3.5" />}
        onClick={() => setOpen(true)}
      >
        <MeanWord {...{ about, isNarrow }} />
      </Button>
      <span role="alert" className="text-bad text-xs empty:hidden">
        {fault}
      </span>
      {isOpen && <ScoreDialog {...{ scores, about, span, mayScore }} onClose={() => setOpen(false)} />}
    </fieldset>
  );
}

/** Says `Score 0.5`, or `Score` if nothing has a value. Where there is little room, the word is there for screen readers alone. */
function MeanWord({ about, isNarrow }: Pick<ControlProps, 'about'> & { readonly isNarrow: boolean }) {
  const found = meanOf(about);
  return (
    <span className="tabular-nums">
      <span className={isNarrow ? 'sr-only' : undefined}>Score{found !== undefined && ' '}</span>
      {found !== undefined && formatScore(found.mean)}
    </span>
  );
}

function counted(about: readonly Score[]): string {
  if (about.length === 0) return 'No scores yet';
  const values = meanOf(about)?.count ?? 0;
  const notes = about.filter(({ note }) => note !== null).length;
  const words = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;
  return [values > 0 && `Mean of ${words(values, 'score')}`, notes > 0 && words(notes, 'note')]
    .filter(Boolean)
    .join(', ');
}
