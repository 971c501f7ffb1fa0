'use client';

import { useMemo } from 'react';
import { usePaletteGroup } from '@/components/shell/palette-context';
import type { PaletteRow } from '@/components/shell/palette-store';
import type { ProjectAccess } from '@/lib/base/project-access';
import { isOffered, morePlaces } from '@/lib/client/more-places';
import { projectPages } from '@/lib/client/project-places';
import type { BarAction } from './bar-actions';
import { BarIcon } from './bar-icon';
import { hrefOf, type PagesProps } from './page-href';

interface BarRowsProps extends PagesProps {
  readonly project: { readonly id: string; readonly name: string };
  readonly access: ProjectAccess;
  readonly actions: readonly BarAction[];
}

/** The rows that the bar adds to the palette: the pages of the project and the buttons. */
export function BarRows({ project, access, current, draft, actions }: BarRowsProps) {
  const group = useMemo(() => {
    const pages = projectPages.map((page) => ({ ...page, href: hrefOf(page, { project, current, draft }) }));
    const more = morePlaces
      .filter((place) => isOffered(place, access))
      .map((place) => ({ ...place, href: place.href(project.id) }));
    const places = [...pages, ...more].map(
      ({ id, name, words, href }): PaletteRow => ({ id, name, words, icon: <BarIcon of={id} />, does: { href } }),
    );
    const acts = actions
      .filter(({ refusal }) => refusal === undefined)
      .map(
        ({ name, words, href, act }): PaletteRow => ({
          id: name,
          name,
          words,
          icon: <BarIcon of={name} />,
          does: href === undefined ? () => act?.() : { href },
        }),
      );
    return { title: `Project ${project.name}`, place: 20, isShort: true, rows: [...places, ...acts] };
  }, [project, access, current, draft, actions]);
  usePaletteGroup('project', group);
  return null;
}
