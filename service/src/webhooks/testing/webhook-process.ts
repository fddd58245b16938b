import { openDatabase } from '../../database.ts';
import { deliveryOn, type TestDelivery } from './webhooks.ts';

// A separate process that makes due deliveries until it is killed: `node webhook-process.ts LOCATION BOUNDS`.
const [location = '', bounds = ''] = process.argv.slice(2);
const where: Parameters<typeof openDatabase>[0] = JSON.parse(location);
const how: NonNullable<TestDelivery['bounds']> = JSON.parse(bounds);
deliveryOn(await openDatabase(where, 'tool'), { bounds: how }).start();
