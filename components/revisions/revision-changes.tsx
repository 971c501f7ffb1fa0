'use client';

import { useEffect, useState } from 'react';
import { CapabilityList } from '@/components/compare/capability-list';
import { FileChanges } from '@/components/compare/file-changes';
import { Select } from '@/components/ui/select';
import type { Answered, ComparedRevisions, RevisionServices } from './revision-types';

/** What one revision can do that another could not, and how their files differ. */
export function RevisionChanges(props: {
  readonly pair: readonly [number, number];
  readonly numbers: readonly number[];
  readonly services: Pick<RevisionServices, 'compare'>;
  readonly onChange: (pair: readonly [number, number]) => void;
}) {
  const { pair, numbers, services, onChange } = props;
  const [before, after] = pair;
  const [answer, setAnswer] = useState<Answered<ComparedRevisions>>();
  const [open, setOpen] = useState<string>();
  useEffect(() => {
    let isGone = false;
    setAnswer(undefined);
    void services.compare(before, after).then((answered) => {
      if (isGone) return;
      setAnswer(answered);
      const [only, ...others] = answered.ok ? answered.value.files : [];
      setOpen(others.length === 0 ? only?.path : undefined);
    });
    return () => {
      isGone = true;
    };
  }, [services, before, after]);
  const choices = [...new Set([...numbers, before, after])].map((number) => ({
    value: `${number}`,
    label: `Revision ${number}`,
  }));
  return (
    <section aria-label="Changes between revisions" className="flex flex-col gap-2">
      <h2 className="font-medium text-ink text-sm">Changes</h2>
      <div className="flex flex-wrap items-center gap-2 text-muted text-xs">
        from
        <Select
          aria-label="Before"
          size="sm"
          className="max-w-40"
          value={`${before}`}
          options={choices}
          onValueChange={(value) => onChange([Number(value), after])}
        />
        to
        <Select
          aria-label="After"
          size="sm"
          className="max-w-40"
          value={`${after}`}
          options={choices}
          onValueChange={(value) => onChange([before, Number(value)])}
        />
      </div>
      {answer === undefined && <p className="text-muted text-xs">Loading</p>}
      {answer?.ok === false && <p className="text-bad text-sm">{answer.message}</p>}
      {answer?.ok === true &&
        (answer.value.files.length === 0 ? (
          <p className="text-muted text-sm">The files are the same in both.</p>
        ) : (
          <>
            {answer.value.capabilities === undefined ? (
              <p className="text-muted text-sm">These files take too long to be compared by what they can do.</p>
            ) : (
              <CapabilityList changes={answer.value.capabilities} />
            )}
            <FileChanges files={answer.value.files} sides={[`${before}`, `${after}`]} open={open} onOpen={setOpen} />
          </>
        ))}
    </section>
  );
}
