'use client';

import { Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { usePalette } from '@/components/shell/palette-context';
import { Menu, MenuItem, MenuLink, MenuSeparator } from '@/components/ui/menu';
import { useMedia } from '@/components/ui/use-media';
import type { ProjectAccess } from '@/lib/base/project-access';
import { isOffered, morePlaces } from '@/lib/client/more-places';
import type { BarAction } from './bar-actions';
import { BarIcon } from './bar-icon';

/** What is used less often, as a menu. It is loaded for its button, so it is open when mounted. */
export function MoreItems(props: {
  readonly project: { readonly id: string };
  readonly access: ProjectAccess;
  readonly actions: readonly BarAction[];
  readonly trigger: ReactNode;
  readonly children: ReactNode;
}) {
  const { project, access, actions, trigger, children } = props;
  const isPhone = useMedia('(max-width: 639px)') === true;
  const palette = usePalette();
  const places = morePlaces.filter((place) => isOffered(place, access));
  return (
    <Menu defaultOpen align="end" trigger={trigger}>
      {isPhone && (
        <>
          {actions.map((action) => (
            <ActionItem key={action.name} action={action} />
          ))}
          <MenuSeparator />
        </>
      )}
      {places.map(({ id, name, href }) => (
        <MenuLink key={id} href={href(project.id)} icon={<BarIcon of={id} />}>
          {name}
        </MenuLink>
      ))}
      <MenuSeparator />
      <MenuItem icon={<Search aria-hidden />} keys="Mod+K" onSelect={() => palette.setOpen(true)}>
        Search everything
      </MenuItem>
      {children}
    </Menu>
  );
}

function ActionItem({ action: { name, href, act, refusal } }: { readonly action: BarAction }) {
  const icon = <BarIcon of={name} />;
  if (href !== undefined && refusal === undefined) {
    return (
      <MenuLink href={href} icon={icon}>
        {name}
      </MenuLink>
    );
  }
  return (
    <MenuItem icon={icon} disabled={refusal !== undefined} onSelect={() => act?.()}>
      {name}
    </MenuItem>
  );
}
