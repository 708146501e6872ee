// Printed by `npm run gen` from the route table; edit src/routes.ts, not this file.
import { type DataOf, type InputOf, listing, operation } from '../operation.ts'
import type * as t from './types.gen.ts'

/** Open a workspace and sign in as its owner: POST /api/v1/auth/signup */
export const authSignup = /* @__PURE__ */ operation<InputOf<t.AuthSignupData>, DataOf<t.AuthSignupResponses>>({ method: 'POST', path: '/auth/signup' })

/** Sign in: POST /api/v1/auth/login */
export const authLogin = /* @__PURE__ */ operation<InputOf<t.AuthLoginData>, DataOf<t.AuthLoginResponses>>({ method: 'POST', path: '/auth/login' })

/** Finish signing in with a code of the second factor: POST /api/v1/auth/login/second-factor */
export const authFinishLogin = /* @__PURE__ */ operation<InputOf<t.AuthFinishLoginData>, DataOf<t.AuthFinishLoginResponses>>({ method: 'POST', path: '/auth/login/second-factor' })

/** Sign out; works without a session too: POST /api/v1/auth/logout */
export const authLogout = /* @__PURE__ */ operation<InputOf<t.AuthLogoutData>, DataOf<t.AuthLogoutResponses>>({ method: 'POST', path: '/auth/logout' })

/** Ask for a link to a new password by mail: POST /api/v1/auth/password/forgot */
export const authForgotPassword = /* @__PURE__ */ operation<InputOf<t.AuthForgotPasswordData>, DataOf<t.AuthForgotPasswordResponses>>({ method: 'POST', path: '/auth/password/forgot' })

/** Set a new password with the token of a mailed link: POST /api/v1/auth/password/reset */
export const authResetPassword = /* @__PURE__ */ operation<InputOf<t.AuthResetPasswordData>, DataOf<t.AuthResetPasswordResponses>>({ method: 'POST', path: '/auth/password/reset' })

/** Which ways of signing in this service has: GET /api/v1/auth/options */
export const authGetOptions = /* @__PURE__ */ operation<InputOf<t.AuthGetOptionsData>, DataOf<t.AuthGetOptionsResponses>>({ method: 'GET', path: '/auth/options' })

/** Ask for another mail that confirms your address: POST /api/v1/auth/email/proof */
export const authAskForProof = /* @__PURE__ */ operation<InputOf<t.AuthAskForProofData>, DataOf<t.AuthAskForProofResponses>>({ method: 'POST', path: '/auth/email/proof' })

/** Confirm an e-mail address with the token of a mailed link: POST /api/v1/auth/email/verify */
export const authVerifyEmail = /* @__PURE__ */ operation<InputOf<t.AuthVerifyEmailData>, DataOf<t.AuthVerifyEmailResponses>>({ method: 'POST', path: '/auth/email/verify' })

/** Change your own password: POST /api/v1/auth/password */
export const authChangePassword = /* @__PURE__ */ operation<InputOf<t.AuthChangePasswordData>, DataOf<t.AuthChangePasswordResponses>>({ method: 'POST', path: '/auth/password' })

/** List the browsers you are signed in with: GET /api/v1/auth/sessions */
export const authListSessions = /* @__PURE__ */ operation<InputOf<t.AuthListSessionsData>, DataOf<t.AuthListSessionsResponses>>({ method: 'GET', path: '/auth/sessions' })

/** Sign one of your browsers out: DELETE /api/v1/auth/sessions/{id} */
export const authEndSession = /* @__PURE__ */ operation<InputOf<t.AuthEndSessionData>, DataOf<t.AuthEndSessionResponses>>({ method: 'DELETE', path: '/auth/sessions/{id}' })

/** The owner of the credential: GET /api/v1/auth/me */
export const authMe = /* @__PURE__ */ operation<InputOf<t.AuthMeData>, DataOf<t.AuthMeResponses>>({ method: 'GET', path: '/auth/me' })

/** Accept an invitation with a password of your own, and sign in: POST /api/v1/auth/invitations/accept */
export const authAcceptInvitation = /* @__PURE__ */ operation<InputOf<t.AuthAcceptInvitationData>, DataOf<t.AuthAcceptInvitationResponses>>({ method: 'POST', path: '/auth/invitations/accept' })

/** Whether you have a second factor: GET /api/v1/auth/second-factor */
export const authGetSecondFactor = /* @__PURE__ */ operation<InputOf<t.AuthGetSecondFactorData>, DataOf<t.AuthGetSecondFactorResponses>>({ method: 'GET', path: '/auth/second-factor' })

/** Get a secret for an authenticator app: POST /api/v1/auth/second-factor */
export const authSetUpSecondFactor = /* @__PURE__ */ operation<InputOf<t.AuthSetUpSecondFactorData>, DataOf<t.AuthSetUpSecondFactorResponses>>({ method: 'POST', path: '/auth/second-factor' })

/** Switch the second factor on with a first code: POST /api/v1/auth/second-factor/confirm */
export const authConfirmSecondFactor = /* @__PURE__ */ operation<InputOf<t.AuthConfirmSecondFactorData>, DataOf<t.AuthConfirmSecondFactorResponses>>({ method: 'POST', path: '/auth/second-factor/confirm' })

/** Get ten new recovery codes; earlier codes stop working: POST /api/v1/auth/second-factor/recovery-codes */
export const authRenewRecoveryCodes = /* @__PURE__ */ operation<InputOf<t.AuthRenewRecoveryCodesData>, DataOf<t.AuthRenewRecoveryCodesResponses>>({ method: 'POST', path: '/auth/second-factor/recovery-codes' })

/** Switch your second factor off: POST /api/v1/auth/second-factor/off */
export const authSwitchOffSecondFactor = /* @__PURE__ */ operation<InputOf<t.AuthSwitchOffSecondFactorData>, DataOf<t.AuthSwitchOffSecondFactorResponses>>({ method: 'POST', path: '/auth/second-factor/off' })

/** Reset the second factor of a member who lost it: DELETE /api/v1/members/{id}/second-factor */
export const membersResetSecondFactor = /* @__PURE__ */ operation<InputOf<t.MembersResetSecondFactorData>, DataOf<t.MembersResetSecondFactorResponses>>({ method: 'DELETE', path: '/members/{id}/second-factor', isKeyed: true })

/** Sign in at a till with a PIN: POST /api/v1/auth/pin */
export const authLoginWithPin = /* @__PURE__ */ operation<InputOf<t.AuthLoginWithPinData>, DataOf<t.AuthLoginWithPinResponses>>({ method: 'POST', path: '/auth/pin' })

/** Set or remove your own PIN: PUT /api/v1/auth/pin */
export const authChangePin = /* @__PURE__ */ operation<InputOf<t.AuthChangePinData>, DataOf<t.AuthChangePinResponses>>({ method: 'PUT', path: '/auth/pin' })

/** List members: GET /api/v1/members */
export const membersList = /* @__PURE__ */ operation<InputOf<t.MembersListData>, DataOf<t.MembersListResponses>>({ method: 'GET', path: '/members' })

/** Add a member: POST /api/v1/members */
export const membersCreate = /* @__PURE__ */ operation<InputOf<t.MembersCreateData>, DataOf<t.MembersCreateResponses>>({ method: 'POST', path: '/members', isKeyed: true })

/** Change a member: PATCH /api/v1/members/{id} */
export const membersUpdate = /* @__PURE__ */ operation<InputOf<t.MembersUpdateData>, DataOf<t.MembersUpdateResponses>>({ method: 'PATCH', path: '/members/{id}', isKeyed: true })

/** Remove a member and end their sessions: DELETE /api/v1/members/{id} */
export const membersRemove = /* @__PURE__ */ operation<InputOf<t.MembersRemoveData>, DataOf<t.MembersRemoveResponses>>({ method: 'DELETE', path: '/members/{id}', isKeyed: true })

/** List API keys: GET /api/v1/api-keys */
export const apiKeysList = /* @__PURE__ */ operation<InputOf<t.ApiKeysListData>, DataOf<t.ApiKeysListResponses>>({ method: 'GET', path: '/api-keys' })

/** Create an API key: POST /api/v1/api-keys */
export const apiKeysCreate = /* @__PURE__ */ operation<InputOf<t.ApiKeysCreateData>, DataOf<t.ApiKeysCreateResponses>>({ method: 'POST', path: '/api-keys', isKeyed: true })

/** Revoke an API key: DELETE /api/v1/api-keys/{id} */
export const apiKeysRevoke = /* @__PURE__ */ operation<InputOf<t.ApiKeysRevokeData>, DataOf<t.ApiKeysRevokeResponses>>({ method: 'DELETE', path: '/api-keys/{id}', isKeyed: true })

/** Enrol this browser as a till: POST /api/v1/tills */
export const tillsCreate = /* @__PURE__ */ operation<InputOf<t.TillsCreateData>, DataOf<t.TillsCreateResponses>>({ method: 'POST', path: '/tills' })

/** List the enrolled tills, newest first: GET /api/v1/tills */
export const tillsList = /* @__PURE__ */ operation<InputOf<t.TillsListData>, DataOf<t.TillsListResponses>>({ method: 'GET', path: '/tills' })

/** The till of this browser, and who may sign in with a PIN: GET /api/v1/tills/current */
export const tillsGetCurrent = /* @__PURE__ */ operation<InputOf<t.TillsGetCurrentData>, DataOf<t.TillsGetCurrentResponses>>({ method: 'GET', path: '/tills/current' })

/** Revoke a till: DELETE /api/v1/tills/{id} */
export const tillsRevoke = /* @__PURE__ */ operation<InputOf<t.TillsRevokeData>, DataOf<t.TillsRevokeResponses>>({ method: 'DELETE', path: '/tills/{id}', isKeyed: true })

/** Approve an action of a cashier with the PIN of a manager: POST /api/v1/approvals */
export const approvalsCreate = /* @__PURE__ */ operation<InputOf<t.ApprovalsCreateData>, DataOf<t.ApprovalsCreateResponses>>({ method: 'POST', path: '/approvals', isKeyed: true })

/** Read the plan of the workspace and the list of plans: GET /api/v1/billing */
export const billingGet = /* @__PURE__ */ operation<InputOf<t.BillingGetData>, DataOf<t.BillingGetResponses>>({ method: 'GET', path: '/billing' })

/** List all plans with prices and features (public): GET /api/v1/billing/tiers */
export const billingListTiers = /* @__PURE__ */ operation<InputOf<t.BillingListTiersData>, DataOf<t.BillingListTiersResponses>>({ method: 'GET', path: '/billing/tiers' })

/** Open a page of the payment partner where a plan is paid for 30 days: POST /api/v1/billing/checkout */
export const billingCheckout = /* @__PURE__ */ operation<InputOf<t.BillingCheckoutData>, DataOf<t.BillingCheckoutResponses>>({ method: 'POST', path: '/billing/checkout', isKeyed: true })

/** Cancel the paid plan at the end of its period: POST /api/v1/billing/cancel */
export const billingCancel = /* @__PURE__ */ operation<InputOf<t.BillingCancelData>, DataOf<t.BillingCancelResponses>>({ method: 'POST', path: '/billing/cancel', isKeyed: true })

/** List modules with their state: GET /api/v1/modules */
export const modulesList = /* @__PURE__ */ operation<InputOf<t.ModulesListData>, DataOf<t.ModulesListResponses>>({ method: 'GET', path: '/modules' })

/** Switch a module on or off: POST /api/v1/modules */
export const modulesToggle = /* @__PURE__ */ operation<InputOf<t.ModulesToggleData>, DataOf<t.ModulesToggleResponses>>({ method: 'POST', path: '/modules', isKeyed: true })

/** List outlets: GET /api/v1/outlets */
export const outletsList = /* @__PURE__ */ operation<InputOf<t.OutletsListData>, DataOf<t.OutletsListResponses>>({ method: 'GET', path: '/outlets' })

/** Create an outlet: POST /api/v1/outlets */
export const outletsCreate = /* @__PURE__ */ operation<InputOf<t.OutletsCreateData>, DataOf<t.OutletsCreateResponses>>({ method: 'POST', path: '/outlets', isKeyed: true })

/** Read an outlet: GET /api/v1/outlets/{id} */
export const outletsGet = /* @__PURE__ */ operation<InputOf<t.OutletsGetData>, DataOf<t.OutletsGetResponses>>({ method: 'GET', path: '/outlets/{id}' })

/** Change an outlet: PATCH /api/v1/outlets/{id} */
export const outletsUpdate = /* @__PURE__ */ operation<InputOf<t.OutletsUpdateData>, DataOf<t.OutletsUpdateResponses>>({ method: 'PATCH', path: '/outlets/{id}', isKeyed: true })

/** Delete an outlet, or deactivate it if it has sales: DELETE /api/v1/outlets/{id} */
export const outletsDelete = /* @__PURE__ */ operation<InputOf<t.OutletsDeleteData>, DataOf<t.OutletsDeleteResponses>>({ method: 'DELETE', path: '/outlets/{id}', isKeyed: true })

/** List categories: GET /api/v1/categories */
export const categoriesList = /* @__PURE__ */ operation<InputOf<t.CategoriesListData>, DataOf<t.CategoriesListResponses>>({ method: 'GET', path: '/categories' })

/** Create a category: POST /api/v1/categories */
export const categoriesCreate = /* @__PURE__ */ operation<InputOf<t.CategoriesCreateData>, DataOf<t.CategoriesCreateResponses>>({ method: 'POST', path: '/categories', isKeyed: true })

/** Change a category: PATCH /api/v1/categories/{id} */
export const categoriesUpdate = /* @__PURE__ */ operation<InputOf<t.CategoriesUpdateData>, DataOf<t.CategoriesUpdateResponses>>({ method: 'PATCH', path: '/categories/{id}', isKeyed: true })

/** Set the order of all categories: POST /api/v1/categories/reorder */
export const categoriesReorder = /* @__PURE__ */ operation<InputOf<t.CategoriesReorderData>, DataOf<t.CategoriesReorderResponses>>({ method: 'POST', path: '/categories/reorder', isKeyed: true })

/** List products with their variants: GET /api/v1/products */
export const productsList = /* @__PURE__ */ operation<InputOf<t.ProductsListData>, DataOf<t.ProductsListResponses>>({ method: 'GET', path: '/products' })

/** Find variants to sell by barcode or by text: GET /api/v1/products/lookup */
export const productsLookup = /* @__PURE__ */ operation<InputOf<t.ProductsLookupData>, DataOf<t.ProductsLookupResponses>>({ method: 'GET', path: '/products/lookup' })

/** Create a product with its variants: POST /api/v1/products */
export const productsCreate = /* @__PURE__ */ operation<InputOf<t.ProductsCreateData>, DataOf<t.ProductsCreateResponses>>({ method: 'POST', path: '/products', isKeyed: true })

/** Move up to 500 products to a category: POST /api/v1/products/bulk-category */
export const productsSetCategory = /* @__PURE__ */ operation<InputOf<t.ProductsSetCategoryData>, DataOf<t.ProductsSetCategoryResponses>>({ method: 'POST', path: '/products/bulk-category', isKeyed: true })

/** Read a product: GET /api/v1/products/{id} */
export const productsGet = /* @__PURE__ */ operation<InputOf<t.ProductsGetData>, DataOf<t.ProductsGetResponses>>({ method: 'GET', path: '/products/{id}' })

/** Change a product and, if sent, its list of variants: PATCH /api/v1/products/{id} */
export const productsUpdate = /* @__PURE__ */ operation<InputOf<t.ProductsUpdateData>, DataOf<t.ProductsUpdateResponses>>({ method: 'PATCH', path: '/products/{id}', isKeyed: true })

/** Delete a product, or deactivate it while other records refer to it: DELETE /api/v1/products/{id} */
export const productsDelete = /* @__PURE__ */ operation<InputOf<t.ProductsDeleteData>, DataOf<t.ProductsDeleteResponses>>({ method: 'DELETE', path: '/products/{id}', isKeyed: true })

/** Add a variant: POST /api/v1/products/{id}/variants */
export const variantsCreate = /* @__PURE__ */ operation<InputOf<t.VariantsCreateData>, DataOf<t.VariantsCreateResponses>>({ method: 'POST', path: '/products/{id}/variants', isKeyed: true })

/** Change a variant: PATCH /api/v1/products/{id}/variants/{vid} */
export const variantsUpdate = /* @__PURE__ */ operation<InputOf<t.VariantsUpdateData>, DataOf<t.VariantsUpdateResponses>>({ method: 'PATCH', path: '/products/{id}/variants/{vid}', isKeyed: true })

/** Delete a variant, or deactivate it while other records refer to it: DELETE /api/v1/products/{id}/variants/{vid} */
export const variantsDelete = /* @__PURE__ */ operation<InputOf<t.VariantsDeleteData>, DataOf<t.VariantsDeleteResponses>>({ method: 'DELETE', path: '/products/{id}/variants/{vid}', isKeyed: true })

/** Read the recipe of a variant: GET /api/v1/products/{id}/variants/{vid}/recipe */
export const recipesGet = /* @__PURE__ */ operation<InputOf<t.RecipesGetData>, DataOf<t.RecipesGetResponses>>({ method: 'GET', path: '/products/{id}/variants/{vid}/recipe' })

/** Replace the recipe of a variant: PUT /api/v1/products/{id}/variants/{vid}/recipe */
export const recipesReplace = /* @__PURE__ */ operation<InputOf<t.RecipesReplaceData>, DataOf<t.RecipesReplaceResponses>>({ method: 'PUT', path: '/products/{id}/variants/{vid}/recipe', isKeyed: true })

/** Delete a category and keep its products: DELETE /api/v1/categories/{id} */
export const categoriesDelete = /* @__PURE__ */ operation<InputOf<t.CategoriesDeleteData>, DataOf<t.CategoriesDeleteResponses>>({ method: 'DELETE', path: '/categories/{id}', isKeyed: true })

/** Delete a modifier group and remove it from its products: DELETE /api/v1/modifiers/{id} */
export const modifierGroupsDelete = /* @__PURE__ */ operation<InputOf<t.ModifierGroupsDeleteData>, DataOf<t.ModifierGroupsDeleteResponses>>({ method: 'DELETE', path: '/modifiers/{id}', isKeyed: true })

/** List the modifier groups of a product: GET /api/v1/modifiers/product/{productId} */
export const productsListModifierGroups = /* @__PURE__ */ operation<InputOf<t.ProductsListModifierGroupsData>, DataOf<t.ProductsListModifierGroupsResponses>>({ method: 'GET', path: '/modifiers/product/{productId}' })

/** Set the modifier groups of a product: PUT /api/v1/modifiers/product/{productId} */
export const productsSetModifierGroups = /* @__PURE__ */ operation<InputOf<t.ProductsSetModifierGroupsData>, DataOf<t.ProductsSetModifierGroupsResponses>>({ method: 'PUT', path: '/modifiers/product/{productId}', isKeyed: true })

/** List modifier groups with their modifiers: GET /api/v1/modifiers */
export const modifierGroupsList = /* @__PURE__ */ operation<InputOf<t.ModifierGroupsListData>, DataOf<t.ModifierGroupsListResponses>>({ method: 'GET', path: '/modifiers' })

/** Create a modifier group: POST /api/v1/modifiers */
export const modifierGroupsCreate = /* @__PURE__ */ operation<InputOf<t.ModifierGroupsCreateData>, DataOf<t.ModifierGroupsCreateResponses>>({ method: 'POST', path: '/modifiers', isKeyed: true })

/** Read a modifier group: GET /api/v1/modifiers/{id} */
export const modifierGroupsGet = /* @__PURE__ */ operation<InputOf<t.ModifierGroupsGetData>, DataOf<t.ModifierGroupsGetResponses>>({ method: 'GET', path: '/modifiers/{id}' })

/** Change a modifier group: PATCH /api/v1/modifiers/{id} */
export const modifierGroupsUpdate = /* @__PURE__ */ operation<InputOf<t.ModifierGroupsUpdateData>, DataOf<t.ModifierGroupsUpdateResponses>>({ method: 'PATCH', path: '/modifiers/{id}', isKeyed: true })

/** Add a modifier to a group: POST /api/v1/modifiers/{id}/items */
export const modifiersCreate = /* @__PURE__ */ operation<InputOf<t.ModifiersCreateData>, DataOf<t.ModifiersCreateResponses>>({ method: 'POST', path: '/modifiers/{id}/items', isKeyed: true })

/** Change a modifier: PATCH /api/v1/modifiers/{id}/items/{modId} */
export const modifiersUpdate = /* @__PURE__ */ operation<InputOf<t.ModifiersUpdateData>, DataOf<t.ModifiersUpdateResponses>>({ method: 'PATCH', path: '/modifiers/{id}/items/{modId}', isKeyed: true })

/** Delete a modifier: DELETE /api/v1/modifiers/{id}/items/{modId} */
export const modifiersDelete = /* @__PURE__ */ operation<InputOf<t.ModifiersDeleteData>, DataOf<t.ModifiersDeleteResponses>>({ method: 'DELETE', path: '/modifiers/{id}/items/{modId}', isKeyed: true })

/** Read all that a till needs to sell: GET /api/v1/catalogue */
export const catalogueGet = /* @__PURE__ */ operation<InputOf<t.CatalogueGetData>, DataOf<t.CatalogueGetResponses>>({ method: 'GET', path: '/catalogue' })

/** List sales, newest first: GET /api/v1/sales */
export const salesList = /* @__PURE__ */ listing<InputOf<t.SalesListData>, DataOf<t.SalesListResponses>>({ method: 'GET', path: '/sales' })

/** Sell, or open a bill: POST /api/v1/sales */
export const salesCreate = /* @__PURE__ */ operation<InputOf<t.SalesCreateData>, DataOf<t.SalesCreateResponses>>({ method: 'POST', path: '/sales', isKeyed: true })

/** Read a sale: the full receipt: GET /api/v1/sales/{id} */
export const salesGet = /* @__PURE__ */ operation<InputOf<t.SalesGetData>, DataOf<t.SalesGetResponses>>({ method: 'GET', path: '/sales/{id}' })

/** Replace the items of an open bill: PATCH /api/v1/sales/{id}/items */
export const salesUpdateItems = /* @__PURE__ */ operation<InputOf<t.SalesUpdateItemsData>, DataOf<t.SalesUpdateItemsResponses>>({ method: 'PATCH', path: '/sales/{id}/items', isKeyed: true })

/** Add one payment to a bill; the one that covers it completes it: POST /api/v1/sales/{id}/payments */
export const salesAddPayment = /* @__PURE__ */ operation<InputOf<t.SalesAddPaymentData>, DataOf<t.SalesAddPaymentResponses>>({ method: 'POST', path: '/sales/{id}/payments', isKeyed: true })

/** Correct the method of a payment that the till entered wrongly: POST /api/v1/sales/{id}/payments/{paymentId}/correct */
export const salesCorrectPayment = /* @__PURE__ */ operation<InputOf<t.SalesCorrectPaymentData>, DataOf<t.SalesCorrectPaymentResponses>>({ method: 'POST', path: '/sales/{id}/payments/{paymentId}/correct', isKeyed: true })

/** Settle a bill with payments that cover what remains: POST /api/v1/sales/{id}/settle */
export const salesSettle = /* @__PURE__ */ operation<InputOf<t.SalesSettleData>, DataOf<t.SalesSettleResponses>>({ method: 'POST', path: '/sales/{id}/settle', isKeyed: true })

/** Void a completed sale: money, goods and points go back: POST /api/v1/sales/{id}/void */
export const salesVoid = /* @__PURE__ */ operation<InputOf<t.SalesVoidData>, DataOf<t.SalesVoidResponses>>({ method: 'POST', path: '/sales/{id}/void', isKeyed: true })

/** Discard an open bill: POST /api/v1/sales/{id}/discard */
export const salesDiscard = /* @__PURE__ */ operation<InputOf<t.SalesDiscardData>, DataOf<t.SalesDiscardResponses>>({ method: 'POST', path: '/sales/{id}/discard', isKeyed: true })

/** Refund items, an amount, or all that is left: POST /api/v1/sales/{id}/refund */
export const salesRefund = /* @__PURE__ */ operation<InputOf<t.SalesRefundData>, DataOf<t.SalesRefundResponses>>({ method: 'POST', path: '/sales/{id}/refund', isKeyed: true })

/** Move items of an open bill to a new bill: POST /api/v1/sales/{id}/split */
export const salesSplit = /* @__PURE__ */ operation<InputOf<t.SalesSplitData>, DataOf<t.SalesSplitResponses>>({ method: 'POST', path: '/sales/{id}/split', isKeyed: true })

/** Move every item of another open bill onto this one: POST /api/v1/sales/{id}/merge */
export const salesMerge = /* @__PURE__ */ operation<InputOf<t.SalesMergeData>, DataOf<t.SalesMergeResponses>>({ method: 'POST', path: '/sales/{id}/merge', isKeyed: true })

/** Print a sale: a page, plain text or bytes for a receipt printer: GET /api/v1/sales/{id}/receipt */
export const salesGetReceipt = /* @__PURE__ */ operation<InputOf<t.SalesGetReceiptData>, DataOf<t.SalesGetReceiptResponses>>({ method: 'GET', path: '/sales/{id}/receipt', isFile: true })

/** Print the receipt of a sale, or its bill, on a printer of the outlet: POST /api/v1/sales/{id}/print */
export const salesPrint = /* @__PURE__ */ operation<InputOf<t.SalesPrintData>, DataOf<t.SalesPrintResponses>>({ method: 'POST', path: '/sales/{id}/print', isKeyed: true })

/** Make a public address of the receipt, for WhatsApp or a QR code: POST /api/v1/sales/{id}/receipt-link */
export const salesCreateReceiptLink = /* @__PURE__ */ operation<InputOf<t.SalesCreateReceiptLinkData>, DataOf<t.SalesCreateReceiptLinkResponses>>({ method: 'POST', path: '/sales/{id}/receipt-link', isKeyed: true })

/** Revoke every public address of the receipt: DELETE /api/v1/sales/{id}/receipt-link */
export const salesRevokeReceiptLink = /* @__PURE__ */ operation<InputOf<t.SalesRevokeReceiptLinkData>, DataOf<t.SalesRevokeReceiptLinkResponses>>({ method: 'DELETE', path: '/sales/{id}/receipt-link', isKeyed: true })

/** List the tables of an outlet: GET /api/v1/tables */
export const tablesList = /* @__PURE__ */ operation<InputOf<t.TablesListData>, DataOf<t.TablesListResponses>>({ method: 'GET', path: '/tables' })

/** Create a table: POST /api/v1/tables */
export const tablesCreate = /* @__PURE__ */ operation<InputOf<t.TablesCreateData>, DataOf<t.TablesCreateResponses>>({ method: 'POST', path: '/tables', isKeyed: true })

/** Read the floor map: GET /api/v1/tables/floor */
export const tablesListOnFloor = /* @__PURE__ */ operation<InputOf<t.TablesListOnFloorData>, DataOf<t.TablesListOnFloorResponses>>({ method: 'GET', path: '/tables/floor' })

/** Save the floor map: PUT /api/v1/tables/layout */
export const tablesSetLayout = /* @__PURE__ */ operation<InputOf<t.TablesSetLayoutData>, DataOf<t.TablesSetLayoutResponses>>({ method: 'PUT', path: '/tables/layout', isKeyed: true })

/** Change a table or move it to another floor: PATCH /api/v1/tables/{id} */
export const tablesUpdate = /* @__PURE__ */ operation<InputOf<t.TablesUpdateData>, DataOf<t.TablesUpdateResponses>>({ method: 'PATCH', path: '/tables/{id}', isKeyed: true })

/** Delete a table, or deactivate it if a sale refers to it: DELETE /api/v1/tables/{id} */
export const tablesDelete = /* @__PURE__ */ operation<InputOf<t.TablesDeleteData>, DataOf<t.TablesDeleteResponses>>({ method: 'DELETE', path: '/tables/{id}', isKeyed: true })

/** List the floors of an outlet: GET /api/v1/floors */
export const floorsList = /* @__PURE__ */ operation<InputOf<t.FloorsListData>, DataOf<t.FloorsListResponses>>({ method: 'GET', path: '/floors' })

/** Create a floor: POST /api/v1/floors */
export const floorsCreate = /* @__PURE__ */ operation<InputOf<t.FloorsCreateData>, DataOf<t.FloorsCreateResponses>>({ method: 'POST', path: '/floors', isKeyed: true })

/** Rename or reorder a floor: PATCH /api/v1/floors/{id} */
export const floorsUpdate = /* @__PURE__ */ operation<InputOf<t.FloorsUpdateData>, DataOf<t.FloorsUpdateResponses>>({ method: 'PATCH', path: '/floors/{id}', isKeyed: true })

/** Delete a floor without tables: DELETE /api/v1/floors/{id} */
export const floorsDelete = /* @__PURE__ */ operation<InputOf<t.FloorsDeleteData>, DataOf<t.FloorsDeleteResponses>>({ method: 'DELETE', path: '/floors/{id}', isKeyed: true })

/** Read the kitchen board: GET /api/v1/kds */
export const kitchenListTickets = /* @__PURE__ */ operation<InputOf<t.KitchenListTicketsData>, DataOf<t.KitchenListTicketsResponses>>({ method: 'GET', path: '/kds' })

/** Read the serve board: GET /api/v1/kds/ready */
export const kitchenListReady = /* @__PURE__ */ operation<InputOf<t.KitchenListReadyData>, DataOf<t.KitchenListReadyResponses>>({ method: 'GET', path: '/kds/ready' })

/** Count open tickets and tickets with ready items: GET /api/v1/kds/counts */
export const kitchenGetCounts = /* @__PURE__ */ operation<InputOf<t.KitchenGetCountsData>, DataOf<t.KitchenGetCountsResponses>>({ method: 'GET', path: '/kds/counts' })

/** Move every item of a ticket one step forward: POST /api/v1/kds/{id}/advance */
export const kitchenAdvanceTicket = /* @__PURE__ */ operation<InputOf<t.KitchenAdvanceTicketData>, DataOf<t.KitchenAdvanceTicketResponses>>({ method: 'POST', path: '/kds/{id}/advance', isKeyed: true })

/** Move every item of a ticket one step back: POST /api/v1/kds/{id}/back */
export const kitchenRevertTicket = /* @__PURE__ */ operation<InputOf<t.KitchenRevertTicketData>, DataOf<t.KitchenRevertTicketResponses>>({ method: 'POST', path: '/kds/{id}/back', isKeyed: true })

/** Move an item one step forward: POST /api/v1/kds/items/{itemId}/advance */
export const kitchenAdvanceItem = /* @__PURE__ */ operation<InputOf<t.KitchenAdvanceItemData>, DataOf<t.KitchenAdvanceItemResponses>>({ method: 'POST', path: '/kds/items/{itemId}/advance', isKeyed: true })

/** Move an item one step back: POST /api/v1/kds/items/{itemId}/back */
export const kitchenRevertItem = /* @__PURE__ */ operation<InputOf<t.KitchenRevertItemData>, DataOf<t.KitchenRevertItemResponses>>({ method: 'POST', path: '/kds/items/{itemId}/back', isKeyed: true })

/** Serve every ready item of a table: POST /api/v1/kds/tables/{tableId}/serve */
export const kitchenServeTable = /* @__PURE__ */ operation<InputOf<t.KitchenServeTableData>, DataOf<t.KitchenServeTableResponses>>({ method: 'POST', path: '/kds/tables/{tableId}/serve', isKeyed: true })

/** List the printers: GET /api/v1/printers */
export const printersList = /* @__PURE__ */ operation<InputOf<t.PrintersListData>, DataOf<t.PrintersListResponses>>({ method: 'GET', path: '/printers' })

/** Add a printer to an outlet: POST /api/v1/printers */
export const printersCreate = /* @__PURE__ */ operation<InputOf<t.PrintersCreateData>, DataOf<t.PrintersCreateResponses>>({ method: 'POST', path: '/printers', isKeyed: true })

/** Read a printer: GET /api/v1/printers/{id} */
export const printersGet = /* @__PURE__ */ operation<InputOf<t.PrintersGetData>, DataOf<t.PrintersGetResponses>>({ method: 'GET', path: '/printers/{id}' })

/** Change a printer: PATCH /api/v1/printers/{id} */
export const printersUpdate = /* @__PURE__ */ operation<InputOf<t.PrintersUpdateData>, DataOf<t.PrintersUpdateResponses>>({ method: 'PATCH', path: '/printers/{id}', isKeyed: true })

/** Delete a printer: DELETE /api/v1/printers/{id} */
export const printersDelete = /* @__PURE__ */ operation<InputOf<t.PrintersDeleteData>, DataOf<t.PrintersDeleteResponses>>({ method: 'DELETE', path: '/printers/{id}', isKeyed: true })

/** Print a test page: POST /api/v1/printers/{id}/test */
export const printersPrintTest = /* @__PURE__ */ operation<InputOf<t.PrintersPrintTestData>, DataOf<t.PrintersPrintTestResponses>>({ method: 'POST', path: '/printers/{id}/test', isKeyed: true })

/** Open the drawer without a sale: POST /api/v1/printers/{id}/drawer */
export const printersOpenDrawer = /* @__PURE__ */ operation<InputOf<t.PrintersOpenDrawerData>, DataOf<t.PrintersOpenDrawerResponses>>({ method: 'POST', path: '/printers/{id}/drawer', isKeyed: true })

/** List the openings of a drawer without a sale, newest first: GET /api/v1/printers/{id}/drawer */
export const printersListDrawerKicks = /* @__PURE__ */ listing<InputOf<t.PrintersListDrawerKicksData>, DataOf<t.PrintersListDrawerKicksResponses>>({ method: 'GET', path: '/printers/{id}/drawer' })

/** List print jobs, newest first: GET /api/v1/print-jobs */
export const printJobsList = /* @__PURE__ */ listing<InputOf<t.PrintJobsListData>, DataOf<t.PrintJobsListResponses>>({ method: 'GET', path: '/print-jobs' })

/** Read the paper of a job: bytes for its printer, a page, or plain text: GET /api/v1/print-jobs/{id}/content */
export const printJobsGetContent = /* @__PURE__ */ operation<InputOf<t.PrintJobsGetContentData>, DataOf<t.PrintJobsGetContentResponses>>({ method: 'GET', path: '/print-jobs/{id}/content', isFile: true })

/** Take a job at its till, or report what became of it: PATCH /api/v1/print-jobs/{id} */
export const printJobsUpdate = /* @__PURE__ */ operation<InputOf<t.PrintJobsUpdateData>, DataOf<t.PrintJobsUpdateResponses>>({ method: 'PATCH', path: '/print-jobs/{id}', isKeyed: true })

/** Print a job again: POST /api/v1/print-jobs/{id}/reprint */
export const printJobsReprint = /* @__PURE__ */ operation<InputOf<t.PrintJobsReprintData>, DataOf<t.PrintJobsReprintResponses>>({ method: 'POST', path: '/print-jobs/{id}/reprint', isKeyed: true })

/** Make price or shelf labels as a PDF: POST /api/v1/labels/pdf */
export const labelsCreateFile = /* @__PURE__ */ operation<InputOf<t.LabelsCreateFileData>, DataOf<t.LabelsCreateFileResponses>>({ method: 'POST', path: '/labels/pdf', isFile: true })

/** Print price or shelf labels on a receipt printer: POST /api/v1/labels/print */
export const labelsPrint = /* @__PURE__ */ operation<InputOf<t.LabelsPrintData>, DataOf<t.LabelsPrintResponses>>({ method: 'POST', path: '/labels/print', isKeyed: true })

/** List stock levels: GET /api/v1/inventory/levels */
export const inventoryListLevels = /* @__PURE__ */ operation<InputOf<t.InventoryListLevelsData>, DataOf<t.InventoryListLevelsResponses>>({ method: 'GET', path: '/inventory/levels' })

/** List how many of each composite an outlet can make: GET /api/v1/inventory/composites */
export const inventoryListComposites = /* @__PURE__ */ operation<InputOf<t.InventoryListCompositesData>, DataOf<t.InventoryListCompositesResponses>>({ method: 'GET', path: '/inventory/composites' })

/** Read the stock ledger, newest first: GET /api/v1/inventory/movements */
export const inventoryListMovements = /* @__PURE__ */ listing<InputOf<t.InventoryListMovementsData>, DataOf<t.InventoryListMovementsResponses>>({ method: 'GET', path: '/inventory/movements' })

/** List batches that still have stock: GET /api/v1/inventory/batches */
export const inventoryListBatches = /* @__PURE__ */ operation<InputOf<t.InventoryListBatchesData>, DataOf<t.InventoryListBatchesResponses>>({ method: 'GET', path: '/inventory/batches' })

/** List batches that expire soon: GET /api/v1/inventory/expiring */
export const inventoryListExpiring = /* @__PURE__ */ operation<InputOf<t.InventoryListExpiringData>, DataOf<t.InventoryListExpiringResponses>>({ method: 'GET', path: '/inventory/expiring' })

/** Adjust stock up or down: POST /api/v1/inventory/adjust */
export const inventoryAdjust = /* @__PURE__ */ operation<InputOf<t.InventoryAdjustData>, DataOf<t.InventoryAdjustResponses>>({ method: 'POST', path: '/inventory/adjust', isKeyed: true })

/** Set the reorder point of a variant at an outlet: PUT /api/v1/inventory/reorder */
export const inventorySetReorderPoint = /* @__PURE__ */ operation<InputOf<t.InventorySetReorderPointData>, DataOf<t.InventorySetReorderPointResponses>>({ method: 'PUT', path: '/inventory/reorder', isKeyed: true })

/** Transfer stock to another outlet: POST /api/v1/inventory/transfer */
export const inventoryTransfer = /* @__PURE__ */ operation<InputOf<t.InventoryTransferData>, DataOf<t.InventoryTransferResponses>>({ method: 'POST', path: '/inventory/transfer', isKeyed: true })

/** Receive a batch: POST /api/v1/inventory/batches */
export const inventoryCreateBatch = /* @__PURE__ */ operation<InputOf<t.InventoryCreateBatchData>, DataOf<t.InventoryCreateBatchResponses>>({ method: 'POST', path: '/inventory/batches', isKeyed: true })

/** List or search suppliers: GET /api/v1/suppliers */
export const suppliersList = /* @__PURE__ */ operation<InputOf<t.SuppliersListData>, DataOf<t.SuppliersListResponses>>({ method: 'GET', path: '/suppliers' })

/** Create a supplier: POST /api/v1/suppliers */
export const suppliersCreate = /* @__PURE__ */ operation<InputOf<t.SuppliersCreateData>, DataOf<t.SuppliersCreateResponses>>({ method: 'POST', path: '/suppliers', isKeyed: true })

/** Read a supplier: GET /api/v1/suppliers/{id} */
export const suppliersGet = /* @__PURE__ */ operation<InputOf<t.SuppliersGetData>, DataOf<t.SuppliersGetResponses>>({ method: 'GET', path: '/suppliers/{id}' })

/** Change a supplier: PATCH /api/v1/suppliers/{id} */
export const suppliersUpdate = /* @__PURE__ */ operation<InputOf<t.SuppliersUpdateData>, DataOf<t.SuppliersUpdateResponses>>({ method: 'PATCH', path: '/suppliers/{id}', isKeyed: true })

/** Deactivate a supplier: DELETE /api/v1/suppliers/{id} */
export const suppliersDelete = /* @__PURE__ */ operation<InputOf<t.SuppliersDeleteData>, DataOf<t.SuppliersDeleteResponses>>({ method: 'DELETE', path: '/suppliers/{id}', isKeyed: true })

/** List stock counts, newest first: GET /api/v1/stock-counts */
export const stockCountsList = /* @__PURE__ */ listing<InputOf<t.StockCountsListData>, DataOf<t.StockCountsListResponses>>({ method: 'GET', path: '/stock-counts' })

/** Open a stock count: POST /api/v1/stock-counts */
export const stockCountsCreate = /* @__PURE__ */ operation<InputOf<t.StockCountsCreateData>, DataOf<t.StockCountsCreateResponses>>({ method: 'POST', path: '/stock-counts', isKeyed: true })

/** Read a stock count with its lines: GET /api/v1/stock-counts/{id} */
export const stockCountsGet = /* @__PURE__ */ operation<InputOf<t.StockCountsGetData>, DataOf<t.StockCountsGetResponses>>({ method: 'GET', path: '/stock-counts/{id}' })

/** Count goods: POST /api/v1/stock-counts/{id}/lines */
export const stockCountsCount = /* @__PURE__ */ operation<InputOf<t.StockCountsCountData>, DataOf<t.StockCountsCountResponses>>({ method: 'POST', path: '/stock-counts/{id}/lines', isKeyed: true })

/** Post a stock count: POST /api/v1/stock-counts/{id}/post */
export const stockCountsPost = /* @__PURE__ */ operation<InputOf<t.StockCountsPostData>, DataOf<t.StockCountsPostResponses>>({ method: 'POST', path: '/stock-counts/{id}/post', isKeyed: true })

/** Cancel a stock count: POST /api/v1/stock-counts/{id}/cancel */
export const stockCountsCancel = /* @__PURE__ */ operation<InputOf<t.StockCountsCancelData>, DataOf<t.StockCountsCancelResponses>>({ method: 'POST', path: '/stock-counts/{id}/cancel', isKeyed: true })

/** List purchase orders, newest first: GET /api/v1/purchase-orders */
export const purchaseOrdersList = /* @__PURE__ */ operation<InputOf<t.PurchaseOrdersListData>, DataOf<t.PurchaseOrdersListResponses>>({ method: 'GET', path: '/purchase-orders' })

/** Create a draft of a purchase order: POST /api/v1/purchase-orders */
export const purchaseOrdersCreate = /* @__PURE__ */ operation<InputOf<t.PurchaseOrdersCreateData>, DataOf<t.PurchaseOrdersCreateResponses>>({ method: 'POST', path: '/purchase-orders', isKeyed: true })

/** Read a purchase order: GET /api/v1/purchase-orders/{id} */
export const purchaseOrdersGet = /* @__PURE__ */ operation<InputOf<t.PurchaseOrdersGetData>, DataOf<t.PurchaseOrdersGetResponses>>({ method: 'GET', path: '/purchase-orders/{id}' })

/** Change a draft of a purchase order: PATCH /api/v1/purchase-orders/{id} */
export const purchaseOrdersUpdate = /* @__PURE__ */ operation<InputOf<t.PurchaseOrdersUpdateData>, DataOf<t.PurchaseOrdersUpdateResponses>>({ method: 'PATCH', path: '/purchase-orders/{id}', isKeyed: true })

/** Mark a draft of a purchase order as ordered: POST /api/v1/purchase-orders/{id}/order */
export const purchaseOrdersOrder = /* @__PURE__ */ operation<InputOf<t.PurchaseOrdersOrderData>, DataOf<t.PurchaseOrdersOrderResponses>>({ method: 'POST', path: '/purchase-orders/{id}/order', isKeyed: true })

/** Receive goods of an order: POST /api/v1/purchase-orders/{id}/receive */
export const purchaseOrdersReceive = /* @__PURE__ */ operation<InputOf<t.PurchaseOrdersReceiveData>, DataOf<t.PurchaseOrdersReceiveResponses>>({ method: 'POST', path: '/purchase-orders/{id}/receive', isKeyed: true })

/** Cancel a purchase order: POST /api/v1/purchase-orders/{id}/cancel */
export const purchaseOrdersCancel = /* @__PURE__ */ operation<InputOf<t.PurchaseOrdersCancelData>, DataOf<t.PurchaseOrdersCancelResponses>>({ method: 'POST', path: '/purchase-orders/{id}/cancel', isKeyed: true })

/** List or search customers by name, phone or email: GET /api/v1/customers */
export const customersList = /* @__PURE__ */ operation<InputOf<t.CustomersListData>, DataOf<t.CustomersListResponses>>({ method: 'GET', path: '/customers' })

/** Add a customer: POST /api/v1/customers */
export const customersCreate = /* @__PURE__ */ operation<InputOf<t.CustomersCreateData>, DataOf<t.CustomersCreateResponses>>({ method: 'POST', path: '/customers', isKeyed: true })

/** Read a customer: GET /api/v1/customers/{id} */
export const customersGet = /* @__PURE__ */ operation<InputOf<t.CustomersGetData>, DataOf<t.CustomersGetResponses>>({ method: 'GET', path: '/customers/{id}' })

/** Change a customer: PATCH /api/v1/customers/{id} */
export const customersUpdate = /* @__PURE__ */ operation<InputOf<t.CustomersUpdateData>, DataOf<t.CustomersUpdateResponses>>({ method: 'PATCH', path: '/customers/{id}', isKeyed: true })

/** Delete a customer, or erase the personal data: DELETE /api/v1/customers/{id} */
export const customersDelete = /* @__PURE__ */ operation<InputOf<t.CustomersDeleteData>, DataOf<t.CustomersDeleteResponses>>({ method: 'DELETE', path: '/customers/{id}', isKeyed: true })

/** Read the points ledger, newest first: GET /api/v1/customers/{id}/loyalty */
export const loyaltyGet = /* @__PURE__ */ operation<InputOf<t.LoyaltyGetData>, DataOf<t.LoyaltyGetResponses>>({ method: 'GET', path: '/customers/{id}/loyalty' })

/** Correct the points of a customer by hand: POST /api/v1/customers/{id}/loyalty/adjust */
export const loyaltyAdjust = /* @__PURE__ */ operation<InputOf<t.LoyaltyAdjustData>, DataOf<t.LoyaltyAdjustResponses>>({ method: 'POST', path: '/customers/{id}/loyalty/adjust', isKeyed: true })

/** Redeem points of a customer: POST /api/v1/customers/{id}/loyalty/redeem */
export const loyaltyRedeem = /* @__PURE__ */ operation<InputOf<t.LoyaltyRedeemData>, DataOf<t.LoyaltyRedeemResponses>>({ method: 'POST', path: '/customers/{id}/loyalty/redeem', isKeyed: true })

/** List customer groups by name: GET /api/v1/customer-groups */
export const customerGroupsList = /* @__PURE__ */ operation<InputOf<t.CustomerGroupsListData>, DataOf<t.CustomerGroupsListResponses>>({ method: 'GET', path: '/customer-groups' })

/** Create a customer group: POST /api/v1/customer-groups */
export const customerGroupsCreate = /* @__PURE__ */ operation<InputOf<t.CustomerGroupsCreateData>, DataOf<t.CustomerGroupsCreateResponses>>({ method: 'POST', path: '/customer-groups', isKeyed: true })

/** Read a customer group: GET /api/v1/customer-groups/{id} */
export const customerGroupsGet = /* @__PURE__ */ operation<InputOf<t.CustomerGroupsGetData>, DataOf<t.CustomerGroupsGetResponses>>({ method: 'GET', path: '/customer-groups/{id}' })

/** Rename a customer group: PATCH /api/v1/customer-groups/{id} */
export const customerGroupsUpdate = /* @__PURE__ */ operation<InputOf<t.CustomerGroupsUpdateData>, DataOf<t.CustomerGroupsUpdateResponses>>({ method: 'PATCH', path: '/customer-groups/{id}', isKeyed: true })

/** Delete a customer group: DELETE /api/v1/customer-groups/{id} */
export const customerGroupsDelete = /* @__PURE__ */ operation<InputOf<t.CustomerGroupsDeleteData>, DataOf<t.CustomerGroupsDeleteResponses>>({ method: 'DELETE', path: '/customer-groups/{id}', isKeyed: true })

/** Add customers to a group, by a list or by rules: POST /api/v1/customer-groups/{id}/assign */
export const customerGroupsAssign = /* @__PURE__ */ operation<InputOf<t.CustomerGroupsAssignData>, DataOf<t.CustomerGroupsAssignResponses>>({ method: 'POST', path: '/customer-groups/{id}/assign', isKeyed: true })

/** Read what a customer owes, with all entries, newest first: GET /api/v1/customers/{id}/credit */
export const customerCreditGet = /* @__PURE__ */ operation<InputOf<t.CustomerCreditGetData>, DataOf<t.CustomerCreditGetResponses>>({ method: 'GET', path: '/customers/{id}/credit' })

/** Take money for a debt: POST /api/v1/customers/{id}/credit/payments */
export const customerCreditPay = /* @__PURE__ */ operation<InputOf<t.CustomerCreditPayData>, DataOf<t.CustomerCreditPayResponses>>({ method: 'POST', path: '/customers/{id}/credit/payments', isKeyed: true })

/** Make a text that reminds a customer of a debt, for WhatsApp: GET /api/v1/customers/{id}/credit/reminder */
export const customerCreditRemind = /* @__PURE__ */ operation<InputOf<t.CustomerCreditRemindData>, DataOf<t.CustomerCreditRemindResponses>>({ method: 'GET', path: '/customers/{id}/credit/reminder' })

/** List price lists: GET /api/v1/price-lists */
export const priceListsList = /* @__PURE__ */ operation<InputOf<t.PriceListsListData>, DataOf<t.PriceListsListResponses>>({ method: 'GET', path: '/price-lists' })

/** Create a price list: POST /api/v1/price-lists */
export const priceListsCreate = /* @__PURE__ */ operation<InputOf<t.PriceListsCreateData>, DataOf<t.PriceListsCreateResponses>>({ method: 'POST', path: '/price-lists', isKeyed: true })

/** Read a price list: GET /api/v1/price-lists/{id} */
export const priceListsGet = /* @__PURE__ */ operation<InputOf<t.PriceListsGetData>, DataOf<t.PriceListsGetResponses>>({ method: 'GET', path: '/price-lists/{id}' })

/** Change a price list: PATCH /api/v1/price-lists/{id} */
export const priceListsUpdate = /* @__PURE__ */ operation<InputOf<t.PriceListsUpdateData>, DataOf<t.PriceListsUpdateResponses>>({ method: 'PATCH', path: '/price-lists/{id}', isKeyed: true })

/** Delete a price list: DELETE /api/v1/price-lists/{id} */
export const priceListsDelete = /* @__PURE__ */ operation<InputOf<t.PriceListsDeleteData>, DataOf<t.PriceListsDeleteResponses>>({ method: 'DELETE', path: '/price-lists/{id}', isKeyed: true })

/** List promotions and vouchers: GET /api/v1/promotions */
export const promotionsList = /* @__PURE__ */ operation<InputOf<t.PromotionsListData>, DataOf<t.PromotionsListResponses>>({ method: 'GET', path: '/promotions' })

/** Create a promotion or a voucher: POST /api/v1/promotions */
export const promotionsCreate = /* @__PURE__ */ operation<InputOf<t.PromotionsCreateData>, DataOf<t.PromotionsCreateResponses>>({ method: 'POST', path: '/promotions', isKeyed: true })

/** Read a promotion: GET /api/v1/promotions/{id} */
export const promotionsGet = /* @__PURE__ */ operation<InputOf<t.PromotionsGetData>, DataOf<t.PromotionsGetResponses>>({ method: 'GET', path: '/promotions/{id}' })

/** Change a promotion: PATCH /api/v1/promotions/{id} */
export const promotionsUpdate = /* @__PURE__ */ operation<InputOf<t.PromotionsUpdateData>, DataOf<t.PromotionsUpdateResponses>>({ method: 'PATCH', path: '/promotions/{id}', isKeyed: true })

/** Delete a promotion: DELETE /api/v1/promotions/{id} */
export const promotionsDelete = /* @__PURE__ */ operation<InputOf<t.PromotionsDeleteData>, DataOf<t.PromotionsDeleteResponses>>({ method: 'DELETE', path: '/promotions/{id}', isKeyed: true })

/** List gift cards and store credit, newest first: GET /api/v1/gift-cards */
export const giftCardsList = /* @__PURE__ */ listing<InputOf<t.GiftCardsListData>, DataOf<t.GiftCardsListResponses>>({ method: 'GET', path: '/gift-cards' })

/** Issue a gift card: POST /api/v1/gift-cards */
export const giftCardsIssue = /* @__PURE__ */ operation<InputOf<t.GiftCardsIssueData>, DataOf<t.GiftCardsIssueResponses>>({ method: 'POST', path: '/gift-cards', isKeyed: true })

/** Read a gift card by its code: GET /api/v1/gift-cards/{code} */
export const giftCardsGet = /* @__PURE__ */ operation<InputOf<t.GiftCardsGetData>, DataOf<t.GiftCardsGetResponses>>({ method: 'GET', path: '/gift-cards/{code}' })

/** Cancel a gift card and write off its balance: POST /api/v1/gift-cards/{id}/void */
export const giftCardsVoid = /* @__PURE__ */ operation<InputOf<t.GiftCardsVoidData>, DataOf<t.GiftCardsVoidResponses>>({ method: 'POST', path: '/gift-cards/{id}/void', isKeyed: true })

/** List shifts, newest first: GET /api/v1/shifts */
export const shiftsList = /* @__PURE__ */ listing<InputOf<t.ShiftsListData>, DataOf<t.ShiftsListResponses>>({ method: 'GET', path: '/shifts' })

/** Read your open shift at an outlet: GET /api/v1/shifts/current */
export const shiftsGetCurrent = /* @__PURE__ */ operation<InputOf<t.ShiftsGetCurrentData>, DataOf<t.ShiftsGetCurrentResponses>>({ method: 'GET', path: '/shifts/current' })

/** Read a shift with its sales and cash summary: GET /api/v1/shifts/{id} */
export const shiftsGet = /* @__PURE__ */ operation<InputOf<t.ShiftsGetData>, DataOf<t.ShiftsGetResponses>>({ method: 'GET', path: '/shifts/{id}' })

/** Open your shift at an outlet: POST /api/v1/shifts/open */
export const shiftsOpen = /* @__PURE__ */ operation<InputOf<t.ShiftsOpenData>, DataOf<t.ShiftsOpenResponses>>({ method: 'POST', path: '/shifts/open', isKeyed: true })

/** Count the drawer and close a shift: POST /api/v1/shifts/{id}/close */
export const shiftsClose = /* @__PURE__ */ operation<InputOf<t.ShiftsCloseData>, DataOf<t.ShiftsCloseResponses>>({ method: 'POST', path: '/shifts/{id}/close', isKeyed: true })

/** Record cash put into or taken out of the drawer: POST /api/v1/shifts/{id}/cash-movements */
export const shiftsMoveCash = /* @__PURE__ */ operation<InputOf<t.ShiftsMoveCashData>, DataOf<t.ShiftsMoveCashResponses>>({ method: 'POST', path: '/shifts/{id}/cash-movements', isKeyed: true })

/** Sales, refunds, tax and payments of some days: GET /api/v1/reports/summary */
export const reportsGetSummary = /* @__PURE__ */ operation<InputOf<t.ReportsGetSummaryData>, DataOf<t.ReportsGetSummaryResponses>>({ method: 'GET', path: '/reports/summary' })

/** The best sellers of some days, by quantity: GET /api/v1/reports/top-products */
export const reportsListTopProducts = /* @__PURE__ */ operation<InputOf<t.ReportsListTopProductsData>, DataOf<t.ReportsListTopProductsResponses>>({ method: 'GET', path: '/reports/top-products' })

/** Each of the last days, oldest first: GET /api/v1/reports/sales-by-day */
export const reportsListSalesByDay = /* @__PURE__ */ operation<InputOf<t.ReportsListSalesByDayData>, DataOf<t.ReportsListSalesByDayResponses>>({ method: 'GET', path: '/reports/sales-by-day' })

/** What each promotion gave in some days: GET /api/v1/reports/promotions */
export const reportsListPromotions = /* @__PURE__ */ operation<InputOf<t.ReportsListPromotionsData>, DataOf<t.ReportsListPromotionsResponses>>({ method: 'GET', path: '/reports/promotions' })

/** The hours of the week, by the outlet’s clock: GET /api/v1/reports/hours */
export const reportsListHours = /* @__PURE__ */ operation<InputOf<t.ReportsListHoursData>, DataOf<t.ReportsListHoursResponses>>({ method: 'GET', path: '/reports/hours' })

/** Revenue, cost and margin by category: GET /api/v1/reports/categories */
export const reportsListCategories = /* @__PURE__ */ operation<InputOf<t.ReportsListCategoriesData>, DataOf<t.ReportsListCategoriesResponses>>({ method: 'GET', path: '/reports/categories' })

/** Sales, refunds and voids by cashier: GET /api/v1/reports/cashiers */
export const reportsListCashiers = /* @__PURE__ */ operation<InputOf<t.ReportsListCashiersData>, DataOf<t.ReportsListCashiersResponses>>({ method: 'GET', path: '/reports/cashiers' })

/** Cash taken out of drawers, by category: GET /api/v1/reports/expenses */
export const reportsListExpenses = /* @__PURE__ */ operation<InputOf<t.ReportsListExpensesData>, DataOf<t.ReportsListExpensesResponses>>({ method: 'GET', path: '/reports/expenses' })

/** What customers owe, by age: GET /api/v1/reports/receivables */
export const reportsListReceivables = /* @__PURE__ */ operation<InputOf<t.ReportsListReceivablesData>, DataOf<t.ReportsListReceivablesResponses>>({ method: 'GET', path: '/reports/receivables' })

/** Revenue, cost and gross margin by product: GET /api/v1/reports/margin */
export const reportsGetMargin = /* @__PURE__ */ operation<InputOf<t.ReportsGetMarginData>, DataOf<t.ReportsGetMarginResponses>>({ method: 'GET', path: '/reports/margin' })

/** What the stock is worth, now or at the end of a past day: GET /api/v1/reports/stock-value */
export const reportsGetStockValue = /* @__PURE__ */ operation<InputOf<t.ReportsGetStockValueData>, DataOf<t.ReportsGetStockValueResponses>>({ method: 'GET', path: '/reports/stock-value' })

/** Every figure of a drawer: the Z report of a closed shift, the X report of an open one: GET /api/v1/reports/shifts/{id} */
export const reportsGetShift = /* @__PURE__ */ operation<InputOf<t.ReportsGetShiftData>, DataOf<t.ReportsGetShiftResponses>>({ method: 'GET', path: '/reports/shifts/{id}' })

/** List goods at or below their reorder point: GET /api/v1/reports/low-stock */
export const reportsListLowStock = /* @__PURE__ */ operation<InputOf<t.ReportsListLowStockData>, DataOf<t.ReportsListLowStockResponses>>({ method: 'GET', path: '/reports/low-stock' })

/** Read the workspace profile: GET /api/v1/settings */
export const settingsGet = /* @__PURE__ */ operation<InputOf<t.SettingsGetData>, DataOf<t.SettingsGetResponses>>({ method: 'GET', path: '/settings' })

/** Change the workspace profile: PUT /api/v1/settings */
export const settingsUpdate = /* @__PURE__ */ operation<InputOf<t.SettingsUpdateData>, DataOf<t.SettingsUpdateResponses>>({ method: 'PUT', path: '/settings', isKeyed: true })

/** Read the settings for reminders of open bills: GET /api/v1/account/abandoned-cart */
export const abandonedCartGet = /* @__PURE__ */ operation<InputOf<t.AbandonedCartGetData>, DataOf<t.AbandonedCartGetResponses>>({ method: 'GET', path: '/account/abandoned-cart' })

/** Change the settings for reminders of open bills: PATCH /api/v1/account/abandoned-cart */
export const abandonedCartUpdate = /* @__PURE__ */ operation<InputOf<t.AbandonedCartUpdateData>, DataOf<t.AbandonedCartUpdateResponses>>({ method: 'PATCH', path: '/account/abandoned-cart', isKeyed: true })

/** List the latest reminders, newest first: GET /api/v1/account/abandoned-cart/reminders */
export const abandonedCartListReminders = /* @__PURE__ */ operation<InputOf<t.AbandonedCartListRemindersData>, DataOf<t.AbandonedCartListRemindersResponses>>({ method: 'GET', path: '/account/abandoned-cart/reminders' })

/** Count sent reminders and the bills they recovered: GET /api/v1/account/abandoned-cart/stats */
export const abandonedCartStats = /* @__PURE__ */ operation<InputOf<t.AbandonedCartStatsData>, DataOf<t.AbandonedCartStatsResponses>>({ method: 'GET', path: '/account/abandoned-cart/stats' })

/** Get the picture of a creator from the marketing partner: GET /api/v1/account/marketing-media/avatar */
export const marketingMediaGetAvatar = /* @__PURE__ */ operation<InputOf<t.MarketingMediaGetAvatarData>, DataOf<t.MarketingMediaGetAvatarResponses>>({ method: 'GET', path: '/account/marketing-media/avatar', isFile: true })

/** List blog posts, newest first: GET /api/v1/account/blog/posts */
export const blogList = /* @__PURE__ */ listing<InputOf<t.BlogListData>, DataOf<t.BlogListResponses>>({ method: 'GET', path: '/account/blog/posts' })

/** Create a blog post: POST /api/v1/account/blog/posts */
export const blogCreate = /* @__PURE__ */ operation<InputOf<t.BlogCreateData>, DataOf<t.BlogCreateResponses>>({ method: 'POST', path: '/account/blog/posts', isKeyed: true })

/** Read a blog post: GET /api/v1/account/blog/posts/{id} */
export const blogGet = /* @__PURE__ */ operation<InputOf<t.BlogGetData>, DataOf<t.BlogGetResponses>>({ method: 'GET', path: '/account/blog/posts/{id}' })

/** Change a blog post: PATCH /api/v1/account/blog/posts/{id} */
export const blogUpdate = /* @__PURE__ */ operation<InputOf<t.BlogUpdateData>, DataOf<t.BlogUpdateResponses>>({ method: 'PATCH', path: '/account/blog/posts/{id}', isKeyed: true })

/** Delete a blog post permanently: DELETE /api/v1/account/blog/posts/{id} */
export const blogDelete = /* @__PURE__ */ operation<InputOf<t.BlogDeleteData>, DataOf<t.BlogDeleteResponses>>({ method: 'DELETE', path: '/account/blog/posts/{id}', isKeyed: true })

/** Publish a draft: POST /api/v1/account/blog/posts/{id}/publish */
export const blogPublish = /* @__PURE__ */ operation<InputOf<t.BlogPublishData>, DataOf<t.BlogPublishResponses>>({ method: 'POST', path: '/account/blog/posts/{id}/publish', isKeyed: true })

/** Unpublish a post: POST /api/v1/account/blog/posts/{id}/unpublish */
export const blogUnpublish = /* @__PURE__ */ operation<InputOf<t.BlogUnpublishData>, DataOf<t.BlogUnpublishResponses>>({ method: 'POST', path: '/account/blog/posts/{id}/unpublish', isKeyed: true })

/** Read the settings of product feeds: GET /api/v1/account/feeds */
export const feedsGet = /* @__PURE__ */ operation<InputOf<t.FeedsGetData>, DataOf<t.FeedsGetResponses>>({ method: 'GET', path: '/account/feeds' })

/** Change the settings of product feeds: PATCH /api/v1/account/feeds */
export const feedsUpdate = /* @__PURE__ */ operation<InputOf<t.FeedsUpdateData>, DataOf<t.FeedsUpdateResponses>>({ method: 'PATCH', path: '/account/feeds', isKeyed: true })

/** Preview the first items of a product feed: GET /api/v1/account/feeds/preview */
export const feedsPreview = /* @__PURE__ */ operation<InputOf<t.FeedsPreviewData>, DataOf<t.FeedsPreviewResponses>>({ method: 'GET', path: '/account/feeds/preview' })

/** Read the settings of tracking pixels: GET /api/v1/account/pixels */
export const pixelsGet = /* @__PURE__ */ operation<InputOf<t.PixelsGetData>, DataOf<t.PixelsGetResponses>>({ method: 'GET', path: '/account/pixels' })

/** Change the settings of tracking pixels: PATCH /api/v1/account/pixels */
export const pixelsUpdate = /* @__PURE__ */ operation<InputOf<t.PixelsUpdateData>, DataOf<t.PixelsUpdateResponses>>({ method: 'PATCH', path: '/account/pixels', isKeyed: true })

/** Sign an address for the upload of an image: POST /api/v1/uploads/sign */
export const uploadsSign = /* @__PURE__ */ operation<InputOf<t.UploadsSignData>, DataOf<t.UploadsSignResponses>>({ method: 'POST', path: '/uploads/sign', isKeyed: true })

/** Read the referral program: GET /api/v1/account/referrals */
export const referralsGet = /* @__PURE__ */ operation<InputOf<t.ReferralsGetData>, DataOf<t.ReferralsGetResponses>>({ method: 'GET', path: '/account/referrals' })

/** Replace the referral program: PUT /api/v1/account/referrals */
export const referralsReplace = /* @__PURE__ */ operation<InputOf<t.ReferralsReplaceData>, DataOf<t.ReferralsReplaceResponses>>({ method: 'PUT', path: '/account/referrals', isKeyed: true })

/** List the links of customers, newest first: GET /api/v1/account/referrals/links */
export const referralsListLinks = /* @__PURE__ */ operation<InputOf<t.ReferralsListLinksData>, DataOf<t.ReferralsListLinksResponses>>({ method: 'GET', path: '/account/referrals/links' })

/** List sales that were referred by a link, newest first: GET /api/v1/account/referrals/attributions */
export const referralsListAttributions = /* @__PURE__ */ operation<InputOf<t.ReferralsListAttributionsData>, DataOf<t.ReferralsListAttributionsResponses>>({ method: 'GET', path: '/account/referrals/attributions' })

/** Read the results of the referral program: GET /api/v1/account/referrals/stats */
export const referralsStats = /* @__PURE__ */ operation<InputOf<t.ReferralsStatsData>, DataOf<t.ReferralsStatsResponses>>({ method: 'GET', path: '/account/referrals/stats' })

/** Get the catalogue as a feed for Google (RSS 2.0): GET /api/v1/public/{accountSlug}/feed.xml */
export const storefrontGetGoogleFeed = /* @__PURE__ */ operation<InputOf<t.StorefrontGetGoogleFeedData>, DataOf<t.StorefrontGetGoogleFeedResponses>>({ method: 'GET', path: '/public/{accountSlug}/feed.xml', isFile: true })

/** Get the catalogue as a feed for Facebook or TikTok (CSV): GET /api/v1/public/{accountSlug}/feed.csv */
export const storefrontGetCsvFeed = /* @__PURE__ */ operation<InputOf<t.StorefrontGetCsvFeedData>, DataOf<t.StorefrontGetCsvFeedResponses>>({ method: 'GET', path: '/public/{accountSlug}/feed.csv', isFile: true })

/** Get the catalogue as a feed for your own programs (JSON): GET /api/v1/public/{accountSlug}/feed.json */
export const storefrontGetJsonFeed = /* @__PURE__ */ operation<InputOf<t.StorefrontGetJsonFeedData>, DataOf<t.StorefrontGetJsonFeedResponses>>({ method: 'GET', path: '/public/{accountSlug}/feed.json', isFile: true })

/** List published posts without their text, latest first: GET /api/v1/public/{accountSlug}/blog/posts */
export const storefrontListPosts = /* @__PURE__ */ operation<InputOf<t.StorefrontListPostsData>, DataOf<t.StorefrontListPostsResponses>>({ method: 'GET', path: '/public/{accountSlug}/blog/posts' })

/** A published post: GET /api/v1/public/{accountSlug}/blog/posts/{slug} */
export const storefrontGetPost = /* @__PURE__ */ operation<InputOf<t.StorefrontGetPostData>, DataOf<t.StorefrontGetPostResponses>>({ method: 'GET', path: '/public/{accountSlug}/blog/posts/{slug}' })

/** List webhook endpoints, newest first: GET /api/v1/webhook-subscriptions */
export const webhooksList = /* @__PURE__ */ operation<InputOf<t.WebhooksListData>, DataOf<t.WebhooksListResponses>>({ method: 'GET', path: '/webhook-subscriptions' })

/** Register a webhook endpoint: POST /api/v1/webhook-subscriptions */
export const webhooksCreate = /* @__PURE__ */ operation<InputOf<t.WebhooksCreateData>, DataOf<t.WebhooksCreateResponses>>({ method: 'POST', path: '/webhook-subscriptions', isKeyed: true })

/** Change, pause or activate a webhook endpoint: PATCH /api/v1/webhook-subscriptions/{id} */
export const webhooksUpdate = /* @__PURE__ */ operation<InputOf<t.WebhooksUpdateData>, DataOf<t.WebhooksUpdateResponses>>({ method: 'PATCH', path: '/webhook-subscriptions/{id}', isKeyed: true })

/** Remove a webhook endpoint: DELETE /api/v1/webhook-subscriptions/{id} */
export const webhooksDelete = /* @__PURE__ */ operation<InputOf<t.WebhooksDeleteData>, DataOf<t.WebhooksDeleteResponses>>({ method: 'DELETE', path: '/webhook-subscriptions/{id}', isKeyed: true })

/** List webhook deliveries, newest first: GET /api/v1/webhook-subscriptions/deliveries */
export const webhooksListDeliveries = /* @__PURE__ */ listing<InputOf<t.WebhooksListDeliveriesData>, DataOf<t.WebhooksListDeliveriesResponses>>({ method: 'GET', path: '/webhook-subscriptions/deliveries' })

/** Read a webhook delivery with its body and attempts: GET /api/v1/webhook-subscriptions/deliveries/{id} */
export const webhooksGetDelivery = /* @__PURE__ */ operation<InputOf<t.WebhooksGetDeliveryData>, DataOf<t.WebhooksGetDeliveryResponses>>({ method: 'GET', path: '/webhook-subscriptions/deliveries/{id}' })

/** Repeat a webhook delivery: POST /api/v1/webhook-subscriptions/deliveries/{id}/retry */
export const webhooksRetryDelivery = /* @__PURE__ */ operation<InputOf<t.WebhooksRetryDeliveryData>, DataOf<t.WebhooksRetryDeliveryResponses>>({ method: 'POST', path: '/webhook-subscriptions/deliveries/{id}/retry', isKeyed: true })

/** List event types for webhook endpoints: GET /api/v1/webhook-subscriptions/event-types */
export const webhooksListEventTypes = /* @__PURE__ */ operation<InputOf<t.WebhooksListEventTypesData>, DataOf<t.WebhooksListEventTypesResponses>>({ method: 'GET', path: '/webhook-subscriptions/event-types' })

/** The log of the workspace: what happened, when, by whom and from where: GET /api/v1/events */
export const eventsList = /* @__PURE__ */ listing<InputOf<t.EventsListData>, DataOf<t.EventsListResponses>>({ method: 'GET', path: '/events' })

/** Read the status of the service and its dependencies: GET /api/v1/health */
export const healthCheck = /* @__PURE__ */ operation<InputOf<t.HealthCheckData>, DataOf<t.HealthCheckResponses>>({ method: 'GET', path: '/health' })

/** Open the operator page with the token of a link: POST /api/v1/operator/session */
export const operatorSignIn = /* @__PURE__ */ operation<InputOf<t.OperatorSignInData>, DataOf<t.OperatorSignInResponses>>({ method: 'POST', path: '/operator/session' })

/** Leave the operator page: DELETE /api/v1/operator/session */
export const operatorSignOut = /* @__PURE__ */ operation<InputOf<t.OperatorSignOutData>, DataOf<t.OperatorSignOutResponses>>({ method: 'DELETE', path: '/operator/session' })

/** Read the state of the installation: GET /api/v1/operator/overview */
export const operatorGetOverview = /* @__PURE__ */ operation<InputOf<t.OperatorGetOverviewData>, DataOf<t.OperatorGetOverviewResponses>>({ method: 'GET', path: '/operator/overview' })

/** List the workspaces of the installation: GET /api/v1/operator/workspaces */
export const operatorListWorkspaces = /* @__PURE__ */ operation<InputOf<t.OperatorListWorkspacesData>, DataOf<t.OperatorListWorkspacesResponses>>({ method: 'GET', path: '/operator/workspaces' })

/** Create a QR code or a virtual account for a payment: POST /api/v1/payments/qris */
export const paymentsCharge = /* @__PURE__ */ operation<InputOf<t.PaymentsChargeData>, DataOf<t.PaymentsChargeResponses>>({ method: 'POST', path: '/payments/qris', isKeyed: true })

/** Check whether a code has been paid: GET /api/v1/payments/qris/{sessionId} */
export const paymentsGetSession = /* @__PURE__ */ operation<InputOf<t.PaymentsGetSessionData>, DataOf<t.PaymentsGetSessionResponses>>({ method: 'GET', path: '/payments/qris/{sessionId}' })

/** Read the balance, the last sessions and the last payouts: GET /api/v1/payments/overview */
export const paymentsGetOverview = /* @__PURE__ */ operation<InputOf<t.PaymentsGetOverviewData>, DataOf<t.PaymentsGetOverviewResponses>>({ method: 'GET', path: '/payments/overview' })

/** List checkout sessions, newest first: GET /api/v1/payments/checkout-sessions */
export const checkoutSessionsList = /* @__PURE__ */ listing<InputOf<t.CheckoutSessionsListData>, DataOf<t.CheckoutSessionsListResponses>>({ method: 'GET', path: '/payments/checkout-sessions' })

/** Open a checkout session: POST /api/v1/payments/checkout-sessions */
export const checkoutSessionsCreate = /* @__PURE__ */ operation<InputOf<t.CheckoutSessionsCreateData>, DataOf<t.CheckoutSessionsCreateResponses>>({ method: 'POST', path: '/payments/checkout-sessions', isKeyed: true })

/** Read a checkout session: GET /api/v1/payments/checkout-sessions/{id} */
export const checkoutSessionsGet = /* @__PURE__ */ operation<InputOf<t.CheckoutSessionsGetData>, DataOf<t.CheckoutSessionsGetResponses>>({ method: 'GET', path: '/payments/checkout-sessions/{id}' })

/** Mark a session as paid (sandbox only): POST /api/v1/payments/checkout-sessions/{id}/confirm */
export const checkoutSessionsConfirm = /* @__PURE__ */ operation<InputOf<t.CheckoutSessionsConfirmData>, DataOf<t.CheckoutSessionsConfirmResponses>>({ method: 'POST', path: '/payments/checkout-sessions/{id}/confirm', isKeyed: true })

/** List plans that customers can subscribe to: GET /api/v1/payments/plans */
export const paymentPlansList = /* @__PURE__ */ listing<InputOf<t.PaymentPlansListData>, DataOf<t.PaymentPlansListResponses>>({ method: 'GET', path: '/payments/plans' })

/** Create a plan: POST /api/v1/payments/plans */
export const paymentPlansCreate = /* @__PURE__ */ operation<InputOf<t.PaymentPlansCreateData>, DataOf<t.PaymentPlansCreateResponses>>({ method: 'POST', path: '/payments/plans', isKeyed: true })

/** Read a plan: GET /api/v1/payments/plans/{id} */
export const paymentPlansGet = /* @__PURE__ */ operation<InputOf<t.PaymentPlansGetData>, DataOf<t.PaymentPlansGetResponses>>({ method: 'GET', path: '/payments/plans/{id}' })

/** Change a plan: PATCH /api/v1/payments/plans/{id} */
export const paymentPlansUpdate = /* @__PURE__ */ operation<InputOf<t.PaymentPlansUpdateData>, DataOf<t.PaymentPlansUpdateResponses>>({ method: 'PATCH', path: '/payments/plans/{id}', isKeyed: true })

/** Delete a plan: DELETE /api/v1/payments/plans/{id} */
export const paymentPlansDelete = /* @__PURE__ */ operation<InputOf<t.PaymentPlansDeleteData>, DataOf<t.PaymentPlansDeleteResponses>>({ method: 'DELETE', path: '/payments/plans/{id}', isKeyed: true })

/** Add a price to a plan: POST /api/v1/payments/plans/{id}/prices */
export const paymentPlansAddPrice = /* @__PURE__ */ operation<InputOf<t.PaymentPlansAddPriceData>, DataOf<t.PaymentPlansAddPriceResponses>>({ method: 'POST', path: '/payments/plans/{id}/prices', isKeyed: true })

/** Change a price of a plan: PATCH /api/v1/payments/plans/prices/{priceId} */
export const paymentPlansUpdatePrice = /* @__PURE__ */ operation<InputOf<t.PaymentPlansUpdatePriceData>, DataOf<t.PaymentPlansUpdatePriceResponses>>({ method: 'PATCH', path: '/payments/plans/prices/{priceId}', isKeyed: true })

/** List subscriptions of customers: GET /api/v1/payments/subscriptions */
export const paymentSubscriptionsList = /* @__PURE__ */ listing<InputOf<t.PaymentSubscriptionsListData>, DataOf<t.PaymentSubscriptionsListResponses>>({ method: 'GET', path: '/payments/subscriptions' })

/** Subscribe a customer to a price: POST /api/v1/payments/subscriptions */
export const paymentSubscriptionsCreate = /* @__PURE__ */ operation<InputOf<t.PaymentSubscriptionsCreateData>, DataOf<t.PaymentSubscriptionsCreateResponses>>({ method: 'POST', path: '/payments/subscriptions', isKeyed: true })

/** Read a subscription: GET /api/v1/payments/subscriptions/{id} */
export const paymentSubscriptionsGet = /* @__PURE__ */ operation<InputOf<t.PaymentSubscriptionsGetData>, DataOf<t.PaymentSubscriptionsGetResponses>>({ method: 'GET', path: '/payments/subscriptions/{id}' })

/** Change a subscription: PATCH /api/v1/payments/subscriptions/{id} */
export const paymentSubscriptionsUpdate = /* @__PURE__ */ operation<InputOf<t.PaymentSubscriptionsUpdateData>, DataOf<t.PaymentSubscriptionsUpdateResponses>>({ method: 'PATCH', path: '/payments/subscriptions/{id}', isKeyed: true })

/** Cancel a subscription: POST /api/v1/payments/subscriptions/{id}/cancel */
export const paymentSubscriptionsCancel = /* @__PURE__ */ operation<InputOf<t.PaymentSubscriptionsCancelData>, DataOf<t.PaymentSubscriptionsCancelResponses>>({ method: 'POST', path: '/payments/subscriptions/{id}/cancel', isKeyed: true })

/** List invoices: GET /api/v1/payments/invoices */
export const invoicesList = /* @__PURE__ */ listing<InputOf<t.InvoicesListData>, DataOf<t.InvoicesListResponses>>({ method: 'GET', path: '/payments/invoices' })

/** Export invoices as CSV: GET /api/v1/payments/invoices/export.csv */
export const invoicesExport = /* @__PURE__ */ operation<InputOf<t.InvoicesExportData>, DataOf<t.InvoicesExportResponses>>({ method: 'GET', path: '/payments/invoices/export.csv', isFile: true })

/** Read an invoice: GET /api/v1/payments/invoices/{id} */
export const invoicesGet = /* @__PURE__ */ operation<InputOf<t.InvoicesGetData>, DataOf<t.InvoicesGetResponses>>({ method: 'GET', path: '/payments/invoices/{id}' })

/** Get an invoice as PDF: GET /api/v1/payments/invoices/{id}/pdf */
export const invoicesGetPdf = /* @__PURE__ */ operation<InputOf<t.InvoicesGetPdfData>, DataOf<t.InvoicesGetPdfResponses>>({ method: 'GET', path: '/payments/invoices/{id}/pdf', isFile: true })

/** Get an invoice as HTML: GET /api/v1/payments/invoices/{id}/html */
export const invoicesGetHtml = /* @__PURE__ */ operation<InputOf<t.InvoicesGetHtmlData>, DataOf<t.InvoicesGetHtmlResponses>>({ method: 'GET', path: '/payments/invoices/{id}/html', isFile: true })

/** List receipts of payments: GET /api/v1/payments/receipts */
export const paymentReceiptsList = /* @__PURE__ */ listing<InputOf<t.PaymentReceiptsListData>, DataOf<t.PaymentReceiptsListResponses>>({ method: 'GET', path: '/payments/receipts' })

/** Read a receipt: GET /api/v1/payments/receipts/{id} */
export const paymentReceiptsGet = /* @__PURE__ */ operation<InputOf<t.PaymentReceiptsGetData>, DataOf<t.PaymentReceiptsGetResponses>>({ method: 'GET', path: '/payments/receipts/{id}' })

/** Mail a receipt: POST /api/v1/payments/receipts/{id}/email */
export const paymentReceiptsEmail = /* @__PURE__ */ operation<InputOf<t.PaymentReceiptsEmailData>, DataOf<t.PaymentReceiptsEmailResponses>>({ method: 'POST', path: '/payments/receipts/{id}/email', isKeyed: true })

/** Get a receipt as PDF: GET /api/v1/payments/receipts/{id}/pdf */
export const paymentReceiptsGetPdf = /* @__PURE__ */ operation<InputOf<t.PaymentReceiptsGetPdfData>, DataOf<t.PaymentReceiptsGetPdfResponses>>({ method: 'GET', path: '/payments/receipts/{id}/pdf', isFile: true })

/** Get a receipt as HTML: GET /api/v1/payments/receipts/{id}/html */
export const paymentReceiptsGetHtml = /* @__PURE__ */ operation<InputOf<t.PaymentReceiptsGetHtmlData>, DataOf<t.PaymentReceiptsGetHtmlResponses>>({ method: 'GET', path: '/payments/receipts/{id}/html', isFile: true })

/** Get a receipt for a till printer (ESC/POS): GET /api/v1/payments/receipts/{id}/escpos */
export const paymentReceiptsGetEscpos = /* @__PURE__ */ operation<InputOf<t.PaymentReceiptsGetEscposData>, DataOf<t.PaymentReceiptsGetEscposResponses>>({ method: 'GET', path: '/payments/receipts/{id}/escpos', isFile: true })

/** List customers of the payment partner: GET /api/v1/payments/customers */
export const paymentCustomersList = /* @__PURE__ */ listing<InputOf<t.PaymentCustomersListData>, DataOf<t.PaymentCustomersListResponses>>({ method: 'GET', path: '/payments/customers' })

/** Create a customer at the payment partner: POST /api/v1/payments/customers */
export const paymentCustomersCreate = /* @__PURE__ */ operation<InputOf<t.PaymentCustomersCreateData>, DataOf<t.PaymentCustomersCreateResponses>>({ method: 'POST', path: '/payments/customers', isKeyed: true })

/** Read a customer of the payment partner: GET /api/v1/payments/customers/{id} */
export const paymentCustomersGet = /* @__PURE__ */ operation<InputOf<t.PaymentCustomersGetData>, DataOf<t.PaymentCustomersGetResponses>>({ method: 'GET', path: '/payments/customers/{id}' })

/** Change a customer of the payment partner: PATCH /api/v1/payments/customers/{id} */
export const paymentCustomersUpdate = /* @__PURE__ */ operation<InputOf<t.PaymentCustomersUpdateData>, DataOf<t.PaymentCustomersUpdateResponses>>({ method: 'PATCH', path: '/payments/customers/{id}', isKeyed: true })

/** Read the balance for payouts: GET /api/v1/payments/payouts/balance */
export const payoutsGetBalance = /* @__PURE__ */ operation<InputOf<t.PayoutsGetBalanceData>, DataOf<t.PayoutsGetBalanceResponses>>({ method: 'GET', path: '/payments/payouts/balance' })

/** Read the bank account for payouts: GET /api/v1/payments/payouts/bank-account */
export const payoutsGetBankAccount = /* @__PURE__ */ operation<InputOf<t.PayoutsGetBankAccountData>, DataOf<t.PayoutsGetBankAccountResponses>>({ method: 'GET', path: '/payments/payouts/bank-account' })

/** Set the bank account of payouts: PUT /api/v1/payments/payouts/bank-account */
export const payoutsSetBankAccount = /* @__PURE__ */ operation<InputOf<t.PayoutsSetBankAccountData>, DataOf<t.PayoutsSetBankAccountResponses>>({ method: 'PUT', path: '/payments/payouts/bank-account', isKeyed: true })

/** List payouts: GET /api/v1/payments/payouts */
export const payoutsList = /* @__PURE__ */ listing<InputOf<t.PayoutsListData>, DataOf<t.PayoutsListResponses>>({ method: 'GET', path: '/payments/payouts' })

/** Request a payout: POST /api/v1/payments/payouts */
export const payoutsCreate = /* @__PURE__ */ operation<InputOf<t.PayoutsCreateData>, DataOf<t.PayoutsCreateResponses>>({ method: 'POST', path: '/payments/payouts', isKeyed: true })

/** Read a payout: GET /api/v1/payments/payouts/{id} */
export const payoutsGet = /* @__PURE__ */ operation<InputOf<t.PayoutsGetData>, DataOf<t.PayoutsGetResponses>>({ method: 'GET', path: '/payments/payouts/{id}' })

/** Advance or cancel a payout: PATCH /api/v1/payments/payouts/{id} */
export const payoutsUpdate = /* @__PURE__ */ operation<InputOf<t.PayoutsUpdateData>, DataOf<t.PayoutsUpdateResponses>>({ method: 'PATCH', path: '/payments/payouts/{id}', isKeyed: true })

/** List entries of the ledger: GET /api/v1/payments/ledger/entries */
export const ledgerListEntries = /* @__PURE__ */ listing<InputOf<t.LedgerListEntriesData>, DataOf<t.LedgerListEntriesResponses>>({ method: 'GET', path: '/payments/ledger/entries' })

/** Export entries of the ledger as CSV: GET /api/v1/payments/ledger/entries.csv */
export const ledgerExportEntries = /* @__PURE__ */ operation<InputOf<t.LedgerExportEntriesData>, DataOf<t.LedgerExportEntriesResponses>>({ method: 'GET', path: '/payments/ledger/entries.csv', isFile: true })

/** Read an entry of the ledger: GET /api/v1/payments/ledger/entries/{id} */
export const ledgerGetEntry = /* @__PURE__ */ operation<InputOf<t.LedgerGetEntryData>, DataOf<t.LedgerGetEntryResponses>>({ method: 'GET', path: '/payments/ledger/entries/{id}' })

/** Read the balances of the ledger: GET /api/v1/payments/ledger/balance */
export const ledgerGetBalance = /* @__PURE__ */ operation<InputOf<t.LedgerGetBalanceData>, DataOf<t.LedgerGetBalanceResponses>>({ method: 'GET', path: '/payments/ledger/balance' })

/** Read the profit and loss report: GET /api/v1/payments/reports/pnl */
export const paymentReportsGetPnl = /* @__PURE__ */ operation<InputOf<t.PaymentReportsGetPnlData>, DataOf<t.PaymentReportsGetPnlResponses>>({ method: 'GET', path: '/payments/reports/pnl' })

/** Cash flow: GET /api/v1/payments/reports/cash-flow */
export const paymentReportsGetCashFlow = /* @__PURE__ */ operation<InputOf<t.PaymentReportsGetCashFlowData>, DataOf<t.PaymentReportsGetCashFlowResponses>>({ method: 'GET', path: '/payments/reports/cash-flow' })

/** Read the place where couriers pick up parcels: GET /api/v1/delivery/origin */
export const deliveryGetOrigin = /* @__PURE__ */ operation<InputOf<t.DeliveryGetOriginData>, DataOf<t.DeliveryGetOriginResponses>>({ method: 'GET', path: '/delivery/origin' })

/** Set the place where couriers fetch parcels: PATCH /api/v1/delivery/origin */
export const deliveryUpdateOrigin = /* @__PURE__ */ operation<InputOf<t.DeliveryUpdateOriginData>, DataOf<t.DeliveryUpdateOriginResponses>>({ method: 'PATCH', path: '/delivery/origin', isKeyed: true })

/** List couriers and their services: GET /api/v1/delivery/couriers */
export const deliveryListCouriers = /* @__PURE__ */ operation<InputOf<t.DeliveryListCouriersData>, DataOf<t.DeliveryListCouriersResponses>>({ method: 'GET', path: '/delivery/couriers' })

/** List the prices of couriers for a parcel, cheapest first: POST /api/v1/delivery/rates */
export const deliveryQuote = /* @__PURE__ */ operation<InputOf<t.DeliveryQuoteData>, DataOf<t.DeliveryQuoteResponses>>({ method: 'POST', path: '/delivery/rates', isKeyed: true })

/** List shipments, newest first: GET /api/v1/delivery/shipments */
export const deliveryList = /* @__PURE__ */ listing<InputOf<t.DeliveryListData>, DataOf<t.DeliveryListResponses>>({ method: 'GET', path: '/delivery/shipments' })

/** Create a shipment as a draft: POST /api/v1/delivery/shipments */
export const deliveryCreate = /* @__PURE__ */ operation<InputOf<t.DeliveryCreateData>, DataOf<t.DeliveryCreateResponses>>({ method: 'POST', path: '/delivery/shipments', isKeyed: true })

/** Read a shipment with its history: GET /api/v1/delivery/shipments/{id} */
export const deliveryGet = /* @__PURE__ */ operation<InputOf<t.DeliveryGetData>, DataOf<t.DeliveryGetResponses>>({ method: 'GET', path: '/delivery/shipments/{id}' })

/** Book the courier of a shipment: POST /api/v1/delivery/shipments/{id}/confirm-pickup */
export const deliveryConfirmPickup = /* @__PURE__ */ operation<InputOf<t.DeliveryConfirmPickupData>, DataOf<t.DeliveryConfirmPickupResponses>>({ method: 'POST', path: '/delivery/shipments/{id}/confirm-pickup', isKeyed: true })

/** Cancel a shipment before its pick-up: POST /api/v1/delivery/shipments/{id}/cancel */
export const deliveryCancel = /* @__PURE__ */ operation<InputOf<t.DeliveryCancelData>, DataOf<t.DeliveryCancelResponses>>({ method: 'POST', path: '/delivery/shipments/{id}/cancel', isKeyed: true })

/** Create the shipment of a delivery sale: POST /api/v1/delivery/sales/{id}/dispatch */
export const deliveryDispatch = /* @__PURE__ */ operation<InputOf<t.DeliveryDispatchData>, DataOf<t.DeliveryDispatchResponses>>({ method: 'POST', path: '/delivery/sales/{id}/dispatch', isKeyed: true })

/** List shipments of the fulfillment partner: GET /api/v1/fulfillment/shipments */
export const fulfillmentShipmentsList = /* @__PURE__ */ listing<InputOf<t.FulfillmentShipmentsListData>, DataOf<t.FulfillmentShipmentsListResponses>>({ method: 'GET', path: '/fulfillment/shipments' })

/** Create a shipment at the fulfillment partner: POST /api/v1/fulfillment/shipments */
export const fulfillmentShipmentsCreate = /* @__PURE__ */ operation<InputOf<t.FulfillmentShipmentsCreateData>, DataOf<t.FulfillmentShipmentsCreateResponses>>({ method: 'POST', path: '/fulfillment/shipments', isKeyed: true })

/** Read a shipment of the fulfillment partner: GET /api/v1/fulfillment/shipments/{id} */
export const fulfillmentShipmentsGet = /* @__PURE__ */ operation<InputOf<t.FulfillmentShipmentsGetData>, DataOf<t.FulfillmentShipmentsGetResponses>>({ method: 'GET', path: '/fulfillment/shipments/{id}' })

/** Get the label of a parcel: GET /api/v1/fulfillment/shipments/{id}/label */
export const fulfillmentShipmentsGetLabel = /* @__PURE__ */ operation<InputOf<t.FulfillmentShipmentsGetLabelData>, DataOf<t.FulfillmentShipmentsGetLabelResponses>>({ method: 'GET', path: '/fulfillment/shipments/{id}/label', isFile: true })

/** Book the courier at the fulfillment partner: POST /api/v1/fulfillment/shipments/{id}/confirm-pickup */
export const fulfillmentShipmentsConfirmPickup = /* @__PURE__ */ operation<InputOf<t.FulfillmentShipmentsConfirmPickupData>, DataOf<t.FulfillmentShipmentsConfirmPickupResponses>>({ method: 'POST', path: '/fulfillment/shipments/{id}/confirm-pickup', isKeyed: true })

/** Cancel a shipment at the fulfillment partner: POST /api/v1/fulfillment/shipments/{id}/cancel */
export const fulfillmentShipmentsCancel = /* @__PURE__ */ operation<InputOf<t.FulfillmentShipmentsCancelData>, DataOf<t.FulfillmentShipmentsCancelResponses>>({ method: 'POST', path: '/fulfillment/shipments/{id}/cancel', isKeyed: true })

/** Read the place where couriers pick up parcels: GET /api/v1/fulfillment/shipping/origin */
export const shippingGetOrigin = /* @__PURE__ */ operation<InputOf<t.ShippingGetOriginData>, DataOf<t.ShippingGetOriginResponses>>({ method: 'GET', path: '/fulfillment/shipping/origin' })

/** Set the place where couriers fetch parcels: PATCH /api/v1/fulfillment/shipping/origin */
export const shippingUpdateOrigin = /* @__PURE__ */ operation<InputOf<t.ShippingUpdateOriginData>, DataOf<t.ShippingUpdateOriginResponses>>({ method: 'PATCH', path: '/fulfillment/shipping/origin', isKeyed: true })

/** List couriers of the fulfillment partner: GET /api/v1/fulfillment/shipping/couriers */
export const shippingListCouriers = /* @__PURE__ */ operation<InputOf<t.ShippingListCouriersData>, DataOf<t.ShippingListCouriersResponses>>({ method: 'GET', path: '/fulfillment/shipping/couriers' })

/** List the prices of couriers for a parcel: POST /api/v1/fulfillment/shipping/rates */
export const shippingQuote = /* @__PURE__ */ operation<InputOf<t.ShippingQuoteData>, DataOf<t.ShippingQuoteResponses>>({ method: 'POST', path: '/fulfillment/shipping/rates', isKeyed: true })

/** Read the balance of shipping credits: GET /api/v1/fulfillment/shipping-credits */
export const shippingCreditsGet = /* @__PURE__ */ operation<InputOf<t.ShippingCreditsGetData>, DataOf<t.ShippingCreditsGetResponses>>({ method: 'GET', path: '/fulfillment/shipping-credits' })

/** List added and spent shipping credits: GET /api/v1/fulfillment/shipping-credits/transactions */
export const shippingCreditsListTransactions = /* @__PURE__ */ listing<InputOf<t.ShippingCreditsListTransactionsData>, DataOf<t.ShippingCreditsListTransactionsResponses>>({ method: 'GET', path: '/fulfillment/shipping-credits/transactions' })

/** Add shipping credits: POST /api/v1/fulfillment/shipping-credits/topup */
export const shippingCreditsTopUp = /* @__PURE__ */ operation<InputOf<t.ShippingCreditsTopUpData>, DataOf<t.ShippingCreditsTopUpResponses>>({ method: 'POST', path: '/fulfillment/shipping-credits/topup', isKeyed: true })

/** List warehouses: GET /api/v1/fulfillment/warehouses */
export const warehousesList = /* @__PURE__ */ listing<InputOf<t.WarehousesListData>, DataOf<t.WarehousesListResponses>>({ method: 'GET', path: '/fulfillment/warehouses' })

/** Create a warehouse: POST /api/v1/fulfillment/warehouses */
export const warehousesCreate = /* @__PURE__ */ operation<InputOf<t.WarehousesCreateData>, DataOf<t.WarehousesCreateResponses>>({ method: 'POST', path: '/fulfillment/warehouses', isKeyed: true })

/** Read a warehouse: GET /api/v1/fulfillment/warehouses/{id} */
export const warehousesGet = /* @__PURE__ */ operation<InputOf<t.WarehousesGetData>, DataOf<t.WarehousesGetResponses>>({ method: 'GET', path: '/fulfillment/warehouses/{id}' })

/** Change a warehouse: PATCH /api/v1/fulfillment/warehouses/{id} */
export const warehousesUpdate = /* @__PURE__ */ operation<InputOf<t.WarehousesUpdateData>, DataOf<t.WarehousesUpdateResponses>>({ method: 'PATCH', path: '/fulfillment/warehouses/{id}', isKeyed: true })

/** Delete a warehouse: DELETE /api/v1/fulfillment/warehouses/{id} */
export const warehousesDelete = /* @__PURE__ */ operation<InputOf<t.WarehousesDeleteData>, DataOf<t.WarehousesDeleteResponses>>({ method: 'DELETE', path: '/fulfillment/warehouses/{id}', isKeyed: true })

/** List products in warehouses: GET /api/v1/fulfillment/inventory/products */
export const fulfillmentStockListProducts = /* @__PURE__ */ listing<InputOf<t.FulfillmentStockListProductsData>, DataOf<t.FulfillmentStockListProductsResponses>>({ method: 'GET', path: '/fulfillment/inventory/products' })

/** List stock levels of warehouses: GET /api/v1/fulfillment/inventory/stock */
export const fulfillmentStockListLevels = /* @__PURE__ */ listing<InputOf<t.FulfillmentStockListLevelsData>, DataOf<t.FulfillmentStockListLevelsResponses>>({ method: 'GET', path: '/fulfillment/inventory/stock' })

/** List stock movements of warehouses: GET /api/v1/fulfillment/inventory/movements */
export const fulfillmentStockListMovements = /* @__PURE__ */ listing<InputOf<t.FulfillmentStockListMovementsData>, DataOf<t.FulfillmentStockListMovementsResponses>>({ method: 'GET', path: '/fulfillment/inventory/movements' })

/** Correct a stock level of a warehouse: POST /api/v1/fulfillment/inventory/adjust */
export const fulfillmentStockAdjust = /* @__PURE__ */ operation<InputOf<t.FulfillmentStockAdjustData>, DataOf<t.FulfillmentStockAdjustResponses>>({ method: 'POST', path: '/fulfillment/inventory/adjust', isKeyed: true })

/** List licenses: GET /api/v1/fulfillment/licenses */
export const licensesList = /* @__PURE__ */ listing<InputOf<t.LicensesListData>, DataOf<t.LicensesListResponses>>({ method: 'GET', path: '/fulfillment/licenses' })

/** Create a license: POST /api/v1/fulfillment/licenses */
export const licensesCreate = /* @__PURE__ */ operation<InputOf<t.LicensesCreateData>, DataOf<t.LicensesCreateResponses>>({ method: 'POST', path: '/fulfillment/licenses', isKeyed: true })

/** Check whether a license is valid: POST /api/v1/fulfillment/licenses/validate */
export const licensesValidate = /* @__PURE__ */ operation<InputOf<t.LicensesValidateData>, DataOf<t.LicensesValidateResponses>>({ method: 'POST', path: '/fulfillment/licenses/validate', isKeyed: true })
