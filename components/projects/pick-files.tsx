'use client';

import { FolderOpen } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { readPicked } from '@/lib/client/source-files';
import type { Upload } from './project-types';
import { uploadOf } from './upload-of';
import { useDrop } from './use-drop';

export interface PickFilesProps {
  readonly onPicked: (upload: Upload) => void;
  readonly onError: (message: string) => void;
}

/** Offers a place to drop files, and two pickers for people who do not drag. */
export function PickFiles({ onPicked, onError }: PickFilesProps) {
  const folder = useRef<HTMLInputElement>(null);
  const files = useRef<HTMLInputElement>(null);
  const { over, handlers } = useDrop(onPicked, onError);

  const pick = (input: HTMLInputElement) => {
    const picked = [...(input.files ?? [])];
    input.value = '';
    if (picked.length === 0) return;
    const upload = uploadOf(readPicked(picked));
    if (upload) onPicked(upload);
    else onError('Nothing in that folder can be part of a project.');
  };

  return (
    <div
      {...handlers}
      className={classNames(
        'm-3 flex h-[calc(100%-1.5rem)] flex-col items-center justify-center gap-3 rounded-lg border border-dashed px-4 text-center transition-colors duration-100',
        over ? 'border-accent bg-accent-soft' : 'border-line-strong',
      )}
    >
      <FolderOpen aria-hidden className="size-6 text-faint" />
      <p className="text-muted text-sm">{over ? 'Drop it here' : 'Drop a folder, a zip or files here'}</p>
      <div className="flex flex-wrap justify-center gap-2">
        <Button onClick={() => folder.current?.click()}>Choose a folder</Button>
        <Button onClick={() => files.current?.click()}>Choose files or a zip</Button>
      </div>
      <input
        ref={folder}
        type="file"
        hidden
        aria-label="Folder to import"
        onChange={(event) => pick(event.target)}
        {...{ webkitdirectory: '' }}
      />
      <input
        ref={files}
        type="file"
        hidden
        multiple
        aria-label="Files to import"
        onChange={(event) => pick(event.target)}
      />
    </div>
  );
}
