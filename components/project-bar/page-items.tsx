'use client';

import type { ReactNode } from 'react';
import { Menu, MenuLink } from '@/components/ui/menu';
import { projectPages } from '@/lib/client/project-places';
import { BarIcon } from './bar-icon';
import { hrefOf, type PagesProps } from './page-href';

/** The pages of a project as a menu. It is loaded for its button, so it is open when mounted. */
export function PageItems({ trigger, ...props }: PagesProps & { readonly trigger: ReactNode }) {
  return (
    <Menu defaultOpen trigger={trigger}>
      {projectPages.map((page) => (
        <MenuLink
          key={page.id}
          href={hrefOf(page, props)}
          icon={<BarIcon of={page.id} />}
          isCurrent={page.id === props.current}
        >
          {page.name}
        </MenuLink>
      ))}
    </Menu>
  );
}
