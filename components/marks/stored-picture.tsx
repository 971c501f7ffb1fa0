'use client';

import { ImageOff } from 'lucide-react';
import { useState } from 'react';
import { useProject } from '@/components/editor-state/project-context';
import { classNames } from '@/components/ui/class-names';
import type { StoredFile } from '@/lib/cards/folder';
import { bytesHref } from '@/lib/client/project-address';

interface StoredPictureProps {
  readonly path: string;
  readonly file: StoredFile;
  /** Gets the size in pixels when the picture is there. */
  readonly onSize?: (size: { readonly width: number; readonly height: number }) => void;
  readonly className?: string;
}

const squares = 'bg-[repeating-conic-gradient(var(--sunken)_0_25%,var(--surface)_0_50%)] bg-[length:16px_16px]';

/** Shows a picture of the project that is open in the editor. */
export function StoredPicture(props: StoredPictureProps) {
  return <ProjectPicture {...props} project={useProject((state) => state.projectId)} />;
}

/** Shows a picture of a project, on squares that make its transparent parts visible. It is never enlarged. */
export function ProjectPicture(props: StoredPictureProps & { readonly project: string }) {
  const { project, path, file, onSize, className } = props;
  const [broken, setBroken] = useState<string>();
  if (broken === file.hash) {
    return (
      <p className="flex items-center gap-2 text-muted text-sm">
        <ImageOff aria-hidden className="size-4 shrink-0" />
        The browser cannot show these bytes as a picture.
      </p>
    );
  }
  return (
    // biome-ignore lint/performance/noImgElement: the bytes are shown as they are, behind the sign-in
    <img
      src={bytesHref(project, file.hash)}
      alt={`Preview of ${path}`}
      className={classNames(squares, 'max-h-full max-w-full rounded border object-contain', className)}
      onLoad={({ currentTarget }) =>
        onSize?.({ width: currentTarget.naturalWidth, height: currentTarget.naturalHeight })
      }
      onError={() => setBroken(file.hash)}
    />
  );
}
