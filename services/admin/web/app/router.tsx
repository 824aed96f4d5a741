import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type RouterHistory,
} from '@tanstack/react-router';
import type { Permission } from '@messaging-gateway/contracts';
import { askAhead } from '../api/asking.ts';
import { NotFound } from '../kit/page.tsx';
import { whoIsSignedIn, type Me } from '../session/me.tsx';
import { Broken } from './broken.tsx';
import { Door } from './door.tsx';
import { loaderOf, type Loader } from './page-files.ts';
import { doors, pages, type PageRow } from './page-list.ts';
import { loading } from './stale.ts';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    readonly permission?: Permission | undefined;
  }
}

const root = createRootRouteWithContext<{ readonly client: QueryClient }>()({
  component: Outlet,
  notFoundComponent: NotFound,
});
/** The frame of the pages, loaded only behind the sign-in. */
const loadShell = loading(() => import('./shell.tsx'));
const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: lazyRouteComponent(loadShell, 'Shell'),
  // Beside the files of the frame, which asks for it too.
  loader: ({ context }) => void askAhead(context.client, 'GetMe', {}, whoIsSignedIn),
});
const door = createRoute({ getParentRoute: () => root, id: 'door', component: Door });

const routesBelow = (parent: typeof shell | typeof door, rows: readonly PageRow[]) =>
  rows.flatMap((row) => {
    const load = loaderOf(row);
    if (load === undefined) return [];
    return createRoute({
      getParentRoute: () => parent,
      path: row.path,
      component: lazyRouteComponent(load, 'PageContent'),
      ...(parent === shell && { loader: ({ context }) => void readFirst(context.client, row, load) }),
      staticData: { permission: row.permission },
    });
  });

/** What the page shows first is asked for as soon as it is known who asks, while the frame is still being drawn. */
async function readFirst(client: QueryClient, { permission }: PageRow, load: Loader): Promise<void> {
  // A file that is gone is told of by who shows it.
  const [file] = await Promise.all([load().catch(() => undefined), askAhead(client, 'GetMe', {}, whoIsSignedIn)]);
  const permissions = client.getQueryData<Me>(['GetMe', {}])?.permissions;
  if (permissions === undefined || (permission !== undefined && !permissions.includes(permission))) return;
  file?.readFirst?.(client, (wanted) => permissions.includes(wanted));
}

/** Any other address: *Not found*, with the navigation around it. */
const elsewhere = createRoute({ getParentRoute: () => shell, path: '$', component: NotFound });

const tree = root.addChildren([
  shell.addChildren([...routesBelow(shell, pages), elsewhere]),
  door.addChildren(routesBelow(door, doors)),
]);

export const makeRouter = (client: QueryClient, history: RouterHistory) =>
  createRouter({
    routeTree: tree,
    history,
    context: { client },
    defaultErrorComponent: Broken,
    scrollRestoration: true,
    defaultPreload: false,
  });
