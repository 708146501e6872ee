/** Security mails about passwords, PINs, addresses, API keys, tills and webhook endpoints */

export {
  type FactorChange,
  notifyAddressChanged,
  notifyEndpointChanged,
  notifyEndpointOff,
  notifyKeyCreated,
  notifyPasswordChanged,
  notifyPinChanged,
  notifySecondFactorChanged,
  notifyTillEnrolled,
} from './service.ts'
