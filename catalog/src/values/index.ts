export { bodyClass, vehicleType } from './bodies.ts';
export { ENGINE_CONFIGURATIONS, engineConfiguration } from './engine.ts';
export { makeName } from './makes.ts';
export { modelName, seriesCode } from './models.ts';
export { plantCity, plantCountry, plantState } from './plants.ts';
export { driveType, fuelType, transmission } from './powertrain.ts';
export { trimBadge, trimName } from './trims.ts';
export { DRIVE_TYPES, FUEL_TYPES, TRANSMISSIONS, VEHICLE_TYPES } from './vocabulary.ts';
