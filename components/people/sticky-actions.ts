/** The buttons of a decision stay in view, however long what is decided about is. They need a ground of their own. */
export const stickyActions = 'sticky bottom-0 z-10 flex flex-wrap gap-2 py-2';

/** The bar with the buttons of a whole card. In a low panel they are in one line, the decisions first. Its ground and the line above it reach to the right end of what scrolls. */
export const stickyBar = `${stickyActions} [@container_(max-height:20rem)]:flex-nowrap [@container_(max-height:20rem)]:overflow-x-auto [scrollbar-width:thin] -mx-4 px-4 [border-image:linear-gradient(var(--line)_1px,var(--surface)_1px)_fill_0_/_0_/_0_100vmax_0_0]`;
