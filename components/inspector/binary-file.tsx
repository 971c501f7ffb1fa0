'use client';

import { Download, File } from 'lucide-react';
import { useState } from 'react';
import { useProject } from '@/components/editor-state/project-context';
import { StoredPicture } from '@/components/marks/stored-picture';
import { buttonClass } from '@/components/ui/button';
import type { StoredFile } from '@/lib/cards/folder';
import { bytesHref } from '@/lib/client/project-address';
import { fileFacts, isPicture } from '@/lib/editor/file-words';

/** Shows an open file that is not text: a picture as it is, anything else by its kind and size. */
export function BinaryFile({ path, file }: { readonly path: string; readonly file: StoredFile }) {
  const project = useProject((state) => state.projectId);
  const [pixels, setPixels] = useState<{ readonly width: number; readonly height: number }>();
  const name = path.slice(path.lastIndexOf('/') + 1);
  return (
    <div className="flex h-full min-h-0 flex-col gap-3 p-3">
      <div className="flex shrink-0 flex-wrap items-center justify-between gap-2">
        <p className="text-muted text-sm tabular">
          {fileFacts(path, file)}
          {pixels === undefined ? '' : `, ${pixels.width} × ${pixels.height}`}
        </p>
        <a className={buttonClass('secondary', 'sm')} href={bytesHref(project, file.hash)} download={name}>
          <Download aria-hidden className="size-3.5" />
          Download
        </a>
      </div>
      {isPicture(path) ? (
        <div className="flex min-h-0 flex-1 items-center justify-center overflow-hidden rounded bg-ground p-3">
          <StoredPicture key={file.hash} path={path} file={file} onSize={setPixels} />
        </div>
      ) : (
        <div className="flex min-h-0 flex-1 flex-col items-center justify-center gap-2 rounded bg-ground p-6 text-center text-muted text-sm">
          <File aria-hidden className="size-8 text-faint" />
          <p>Only text and pictures are shown here. Runs and exports have the file byte for byte.</p>
        </div>
      )}
    </div>
  );
}
