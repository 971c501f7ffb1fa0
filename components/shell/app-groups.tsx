'use client';

import { File, FolderUp, type LucideIcon, Moon, Plus, Settings } from 'lucide-react';
import { useMemo } from 'react';
import {
  type AppPlace,
  appDialogs,
  appPages,
  isNeedMet,
  type PlaceNeed,
  settingsPlaces,
  themeCommands,
} from '@/lib/client/app-places';
import type { PaletteGroup, PaletteRow } from './palette-store';
import { useTheme } from './theme';

/** Returns the groups of the palette that every page has: pages, settings and commands of the app. */
export function useAppGroups(met: readonly PlaceNeed[]): readonly PaletteGroup[] {
  const { choose } = useTheme();
  return useMemo(() => {
    const pages = appPages.filter((place) => isNeedMet(place, met)).map((place) => rowOf(place, File));
    const dialogs = appDialogs
      .filter((place) => isNeedMet(place, met))
      .map((place) => rowOf(place, place.id === 'new-project' ? Plus : FolderUp));
    const themes = themeCommands.map(
      ({ id, name, words }): PaletteRow => ({
        id: `theme ${id}`,
        name,
        words,
        icon: <Icon of={Moon} />,
        does: () => choose(id),
      }),
    );
    const ofSettings = settingsPlaces.filter((place) => isNeedMet(place, met)).map((place) => rowOf(place, Settings));
    return [
      { title: 'Pages', place: 30, isShort: true, rows: pages },
      { title: 'Settings', place: 35, isShort: true, rows: ofSettings },
      { title: 'Callboard', place: 25, isShort: true, rows: [...dialogs, ...themes] },
    ];
  }, [met, choose]);
}

function rowOf({ id, name, words, href }: AppPlace, icon: LucideIcon): PaletteRow {
  return { id, name, words, icon: <Icon of={icon} />, does: { href } };
}

function Icon({ of: Shape }: { readonly of: LucideIcon }) {
  return <Shape aria-hidden className="size-4 shrink-0 text-faint" />;
}
