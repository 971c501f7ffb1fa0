'use client';

import { Monitor, Moon, Sun } from 'lucide-react';
import type { ReactNode } from 'react';
import { Menu, MenuChoices } from '@/components/ui/menu';
import { type ThemeChoice, useTheme } from './theme';

export const themeChoices = [
  { value: 'light', label: 'Light', icon: <Sun aria-hidden /> },
  { value: 'dark', label: 'Dark', icon: <Moon aria-hidden /> },
  { value: 'system', label: 'System', icon: <Monitor aria-hidden /> },
] as const satisfies readonly { value: ThemeChoice; label: string; icon: ReactNode }[];

/** The menu of themes. It is loaded when its button is pressed, so it is open when mounted. */
export function ThemeMenu({ trigger }: { readonly trigger: ReactNode }) {
  const { choice, choose } = useTheme();
  return (
    <Menu trigger={trigger} side="right" align="end" defaultOpen>
      <MenuChoices label="Theme" value={choice} choices={themeChoices} onChange={choose} />
    </Menu>
  );
}
