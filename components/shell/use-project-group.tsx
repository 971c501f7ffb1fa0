'use client';

import { LayoutGrid } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { editorHref } from '@/lib/client/project-address';
import { findProjectNames } from '@/lib/client/projects';
import type { PaletteGroup, PaletteRow } from './palette-store';

type Found = Awaited<ReturnType<typeof findProjectNames>>['projects'];

/** A person who types is not asked about at each key. */
const calmMs = 120;

/**
 * Returns the projects whose names contain the query, which the server looks for. Those found before stay until it answers; the palette
 * shows those of them that match. `fault` says why they cannot be looked for.
 */
export function useProjectGroup(query: string): { readonly group: PaletteGroup; readonly fault: string | undefined } {
  const [found, setFound] = useState<Found>([]);
  const [fault, setFault] = useState<string>();
  const text = query.trim();
  useEffect(() => {
    let isOld = false;
    const timer = setTimeout(
      () => {
        findProjectNames(text).then(
          ({ projects }) => {
            if (isOld) return;
            setFound(projects);
            setFault(undefined);
          },
          (error: unknown) => {
            if (!isOld)
              setFault(`Projects are not searched: ${error instanceof Error ? error.message : String(error)}`);
          },
        );
      },
      text === '' ? 0 : calmMs,
    );
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [text]);
  const group = useMemo(() => ({ title: 'Projects', place: 50, rows: found.map(rowOf) }), [found]);
  return { group, fault };
}

function rowOf({ id, name }: Found[number]): PaletteRow {
  return {
    id,
    name,
    words: ['project', `open ${name}`],
    note: 'project',
    icon: <LayoutGrid aria-hidden className="size-4 shrink-0 text-faint" />,
    does: { href: editorHref(id, 'main') },
  };
}
