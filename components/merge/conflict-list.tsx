'use client';

import { useState } from 'react';
import { hasClashMarks } from '@/lib/editor/merge-lines';
import { ConflictFile, type ConflictVersions, type FileAnswer } from './conflict-file';
import type { SideWords } from './side-words';

/** Differences are shown at first for so many files. The others are shown when they are asked for. */
const openAtFirst = 3;
const keepMine: FileAnswer = { keep: 'mine', edited: undefined };

interface FileAnswers {
  of(path: string): FileAnswer;
  set(path: string, answer: FileAnswer): void;
  /** Keeps the same side of all files. */
  setAll(keep: 'mine' | 'theirs'): void;
  /** False while an edited text has marks. */
  readonly areFinished: boolean;
}

/** Keeps what a person chose of files that two sides changed. */
export function useFileAnswers(paths: readonly string[]): FileAnswers {
  const [answers, setAnswers] = useState<ReadonlyMap<string, FileAnswer>>(new Map());
  const of = (path: string) => answers.get(path) ?? keepMine;
  return {
    of,
    set: (path, answer) => setAnswers(new Map([...answers, [path, answer]])),
    setAll: (keep) => setAnswers(new Map(paths.map((path) => [path, { ...of(path), keep }]))),
    areFinished: !paths.some((path) => isUnfinished(of(path))),
  };
}

function isUnfinished({ keep, edited }: FileAnswer): boolean {
  return keep === 'edited' && (edited === undefined || hasClashMarks(edited));
}

/** Shows each file in three versions, and takes a choice or an edited text for each. */
export function ConflictList(props: {
  readonly project: string;
  readonly files: readonly ConflictVersions[];
  readonly answers: FileAnswers;
  readonly words: SideWords;
}) {
  const { project, files, answers, words } = props;
  return files.map((file, index) => (
    <ConflictFile
      key={file.path}
      {...file}
      {...{ project, words }}
      answer={answers.of(file.path)}
      isOpen={index < openAtFirst}
      onAnswer={(answer) => answers.set(file.path, answer)}
    />
  ));
}

/** Names files that need no choice. */
export function FileNames(props: { readonly title: string; readonly files: readonly string[] }) {
  if (props.files.length === 0) return null;
  return (
    <div>
      <h3 className="text-xs font-medium text-muted">{props.title}</h3>
      <ul className="break-all font-mono text-xs">
        {props.files.map((file) => (
          <li key={file}>{file}</li>
        ))}
      </ul>
    </div>
  );
}
